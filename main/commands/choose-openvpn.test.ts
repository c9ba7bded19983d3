import { access, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { noDesktop } from './attachments-desktop.testing'
import { createDispatch, type Dispatch } from './dispatch'
import { startModel, type StartedModel } from './model.testing'

interface Window extends StartedModel {
  readonly dispatch: Dispatch
  /** Creates a program that prints `says` and records each run in `<path>.ran`. */
  readonly makeProgram: (name: string, says: string) => Promise<string>
}

/** Starts the model with a user who chooses `chosen` in the file dialog. */
async function start({ chosen }: { readonly chosen: () => readonly string[] }): Promise<Window> {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-choose-openvpn-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const started = await startModel({
    dataDir: join(folder, 'data'),
    desktop: { ...noDesktop, chooseFiles: () => Promise.resolve(chosen()) },
  })
  return {
    ...started,
    dispatch: createDispatch(started.run, (defect) => {
      throw defect
    }),
    makeProgram: async (name, says) => {
      const path = join(folder, name)
      await writeFile(path, `#!/bin/sh\necho ran >> '${path}.ran'\necho '${says}'\n`, { mode: 0o700 })
      return path
    },
  }
}

const wasRun = (path: string): Promise<boolean> =>
  access(`${path}.ran`).then(
    () => true,
    () => false,
  )

it('neither runs nor stores a program that the renderer names', async () => {
  const { dispatch, makeProgram, services } = await start({ chosen: () => [] })
  const evil = await makeProgram('evil', 'OpenVPN 2.6.3')
  expect(await dispatch('setSetting', { name: 'openvpnPath', value: evil })).toMatchObject({
    ok: false,
    error: { code: 'usage/invalid-argument' },
  })
  expect(await dispatch('setOpenVpn', { by: evil })).toMatchObject({ ok: false })
  expect(await dispatch('setOpenVpn', { by: 'dialog' })).toEqual({ ok: true, value: undefined })
  expect(await wasRun(evil)).toBe(false)
  expect(await services.settings.get('openvpnPath')).toBe('')
})

// The program is a script.
it.skipIf(process.platform === 'win32')(
  'uses the OpenVPN from the dialog until detection is requested',
  async () => {
    const chosen: string[] = []
    const { dispatch, makeProgram, services, model } = await start({ chosen: () => chosen })
    const mine = await makeProgram('my-openvpn', 'OpenVPN 2.6.3 x86_64')
    chosen.push(mine)
    expect(await dispatch('setOpenVpn', { by: 'dialog' })).toEqual({ ok: true, value: undefined })
    expect(model.state().settings.openvpnPath).toBe(mine)
    expect(await services.settings.get('openvpnPath')).toBe(mine)
    expect(await dispatch('setOpenVpn', { by: 'detection' })).toEqual({ ok: true, value: undefined })
    expect(model.state().settings.openvpnPath).toBe('')
  },
)

it('refuses a program that is not OpenVPN and keeps the previous one', async () => {
  const chosen: string[] = []
  const { dispatch, makeProgram, model } = await start({ chosen: () => chosen })
  chosen.push(await makeProgram('other', 'GNU tar 1.35'))
  expect(await dispatch('setOpenVpn', { by: 'dialog' })).toMatchObject({
    ok: false,
    error: { code: 'openvpn/not-found', details: { path: chosen[0] } },
  })
  expect(model.state().settings.openvpnPath).toBe('')
})

it('runs no program from a network share on Windows, even if the user chooses it', async () => {
  const chosen: string[] = []
  const { dispatch, makeProgram, model } = await start({ chosen: () => chosen })
  const path = await makeProgram('openvpn', 'OpenVPN 2.6.3')
  // A path with two slashes is a share on Windows, and the same file here.
  chosen.push(`/${path}`)
  const platform = vi.spyOn(process, 'platform', 'get').mockReturnValue('win32')
  onTestFinished(() => {
    platform.mockRestore()
  })
  expect(await dispatch('setOpenVpn', { by: 'dialog' })).toMatchObject({
    ok: false,
    error: { code: 'openvpn/not-found', details: { path: chosen[0] } },
  })
  expect(await wasRun(path)).toBe(false)
  expect(model.state().settings.openvpnPath).toBe('')
})
