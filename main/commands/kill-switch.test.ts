import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { appState } from '../../contract/state'
import { TrafficBlock } from '../privilege/traffic-block'
import { startModel } from './model.testing'

async function dataDirectory(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-kill-switch-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

it.runIf(process.platform === 'linux')(
  'shows a kill switch left by an earlier run, until the terminal lifts it',
  async () => {
    const dataDir = await dataDirectory()
    const record = join(dataDir, 'kill-switch')
    await writeFile(record, 'cw1t')
    const trafficBlock = new TrafficBlock({ record, probe: () => Promise.resolve(false) })
    const { model } = await startModel({ dataDir, kind: 'window', trafficBlock })
    expect(appState.parse(structuredClone(model.state())).killSwitch.blocks).toBe(true)

    let sent: boolean | undefined
    model.onChange((changed) => {
      sent = changed.killSwitch?.blocks ?? sent
    })
    await rm(record)
    await vi.waitFor(() => {
      expect(sent).toBe(false)
    })
  },
)

it('does not turn on the kill switch without the helper', async () => {
  const { model, run } = await startModel({ dataDir: await dataDirectory(), kind: 'window' })
  const turnOn = run.setSetting({ name: 'killSwitch', value: 'true' })
  if (model.state().killSwitch.here === 'no-helper') {
    await expect(turnOn).rejects.toMatchObject({ code: 'helper/needed-for-kill-switch' })
    expect(model.state().settings.killSwitch).toBe(false)
    await expect(run.releaseTraffic()).rejects.toMatchObject({ code: 'helper/not-installed' })
  } else {
    await turnOn
    expect(model.state().settings.killSwitch).toBe(true)
  }
  await run.setSetting({ name: 'killSwitch', value: 'false' })
  expect(model.state().settings.killSwitch).toBe(false)
})
