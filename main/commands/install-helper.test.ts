import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { CausewayError } from '../errors'
import { createDispatch } from './dispatch'
import { startModel } from './model.testing'

async function start() {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-install-helper-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const started = await startModel({ dataDir: join(folder, 'data'), kind: 'window' })
  const dispatch = createDispatch(started.run, (defect) => {
    throw defect
  })
  const { helper } = started.services
  return { ...started, dispatch, here: vi.spyOn(helper, 'here'), install: vi.spyOn(helper, 'install') }
}

it('installs the helper for the window, which then knows that it can be used', async () => {
  const { model, dispatch, here, install } = await start()
  here.mockResolvedValue('installable')
  await model.refreshPrivilege()
  expect(model.state().helper).toBe('installable')
  install.mockImplementation(() => {
    here.mockResolvedValue('usable')
    return Promise.resolve()
  })
  expect(await dispatch('installHelper', undefined)).toMatchObject({ ok: true })
  expect(model.state().helper).toBe('usable')
})

it('says why it could not be installed', async () => {
  const { model, dispatch, here, install } = await start()
  here.mockResolvedValue('installable')
  install.mockRejectedValue(new CausewayError('helper/not-installed', { variant: 'not-permitted' }))
  expect(await dispatch('installHelper', undefined)).toMatchObject({
    ok: false,
    error: { code: 'helper/not-installed', variant: 'not-permitted' },
  })
  expect(model.state().helper).toBe('installable')
})

it('notices when the window comes to the front that it was installed in a terminal', async () => {
  const { model, here } = await start()
  here.mockResolvedValue('missing')
  await model.refreshPrivilege()
  here.mockResolvedValue('usable')
  model.setInFront(true)
  await vi.waitFor(() => {
    expect(model.state().helper).toBe('usable')
  })
})
