import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { appState } from '../../preload/contract'
import { createServices } from '../services'
import { AppModel } from './app-model'
import { noDesktop } from './attachments-desktop.testing'
import { commandHandlers, type CommandHandlers } from './commands'
import { Notices } from './notices'

async function start(dataDir: string): Promise<{ readonly model: AppModel; readonly run: CommandHandlers }> {
  const services = createServices({
    dataDir,
    kind: 'window',
    secretStore: 'file',
    openBrowser: () => Promise.resolve(),
    onNotice: () => undefined,
  })
  onTestFinished(() => services.dispose())
  const model = new AppModel({
    services,
    notices: new Notices(),
    chosenLanguages: [],
    systemLanguages: ['en'],
    onDefect: (error) => {
      throw error
    },
  })
  onTestFinished(() => {
    model.dispose()
  })
  await model.start()
  return {
    model,
    run: commandHandlers(services, model, {
      login: 'allowed',
      copySupportReport: () => Promise.resolve(),
      copyText: () => Promise.resolve(),
      desktop: noDesktop,
    }),
  }
}

async function dataDirectory(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-kill-switch-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

it.runIf(process.platform === 'linux')(
  'the window knows of a kill switch that an earlier run left, and when the terminal lifts it',
  async () => {
    const dataDir = await dataDirectory()
    const bootId = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim()
    await writeFile(join(dataDir, 'traffic-block'), bootId)
    const { model } = await start(dataDir)
    expect(appState.parse(structuredClone(model.state())).killSwitch.blocks).toBe(true)

    let sent: boolean | undefined
    model.onChange((changed) => {
      sent = changed.killSwitch?.blocks ?? sent
    })
    await rm(join(dataDir, 'traffic-block'))
    await vi.waitFor(
      () => {
        expect(sent).toBe(false)
      },
      { timeout: 10_000 },
    )
  },
)

it('the window turns no kill switch on that would only keep it from connecting', async () => {
  const { model, run } = await start(await dataDirectory())
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
