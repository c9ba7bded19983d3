import { onTestFinished } from 'vitest'
import type { AppState } from '../../contract/state'
import { createServices } from '../app/services'
import { AppModel } from './models/app-model'
import { noDesktop } from './attachments-desktop.testing'
import { commandHandlers } from './commands'
import type { CommandHandlers } from './dispatch'
import { Notices } from './models/notices'

type ServicesOptions = Parameters<typeof createServices>[0]
type CommandOptions = Parameters<typeof commandHandlers>[2]

export interface StartedModel {
  readonly services: ReturnType<typeof createServices>
  readonly model: AppModel
  readonly run: CommandHandlers
  /** The changes sent to the window since the start. */
  readonly changes: Partial<AppState>[]
}

/** Starts a model over real services, until the test ends. By default nobody answers the browser. */
export async function startModel({
  chosenLanguages = [],
  login = 'allowed',
  desktop = { ...noDesktop, confirm: () => Promise.resolve(true) },
  copyText = () => Promise.resolve(),
  ...options
}: Pick<ServicesOptions, 'dataDir'> &
  Partial<Pick<ServicesOptions, 'kind' | 'openBrowser' | 'now' | 'trafficBlock'>> &
  Partial<Pick<CommandOptions, 'login' | 'desktop' | 'copyText'>> & {
    readonly chosenLanguages?: readonly string[]
  }): Promise<StartedModel> {
  const notices = new Notices()
  const services = createServices({
    secretStore: 'file',
    openBrowser: () => Promise.resolve(),
    onNotice: (notice) => {
      notices.add(notice)
    },
    ...options,
  })
  onTestFinished(() => services.dispose())
  const model = new AppModel({
    services,
    notices,
    chosenLanguages,
    systemLanguages: ['en'],
    onDefect: (error) => {
      throw error
    },
  })
  onTestFinished(() => {
    model.dispose()
  })
  const changes: Partial<AppState>[] = []
  model.onChange((changed) => changes.push(changed))
  await model.start()
  const run = commandHandlers(services, model, {
    login,
    openClockSettings: () => Promise.resolve(),
    copySupportReport: () => Promise.resolve(),
    copyText,
    readLicenses: () => Promise.resolve(undefined),
    desktop,
  })
  return { services, model, run, changes }
}
