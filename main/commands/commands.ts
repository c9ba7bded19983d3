import { helpPages } from '../app/diagnostics/help-pages'
import type { AppModel } from './models/app-model'
import type { Services } from '../app/services'
import { CausewayError } from '../errors'
import { type AttachmentsDesktop, attachmentsWindowHandlers } from './attachments-window-commands'
import { confirmChanges } from './confirm-changes'
import { appsWindowHandlers } from './apps-window-commands'
import type { CommandHandlers } from './dispatch'
import {
  connectionWindowHandlers,
  instanceWindowHandlers,
  listWindowHandlers,
} from './instances-window-commands'
import { settingsWindowHandlers } from './settings-window-commands'
import { type SharedCommands, sharedCommands } from './shared-commands'
import { forWindow } from './handler'
import { WindowDefects } from './window-defects'

export interface CommandOptions {
  /** True if connecting may open the browser. */
  readonly login: 'allowed' | 'never'
  readonly copySupportReport: () => Promise<void>
  readonly openClockSettings: () => Promise<void>
  readonly copyText: (text: string) => Promise<void>
  /** Returns the licences of the software in the package, if there is one. */
  readonly readLicenses: () => Promise<string | undefined>
  readonly desktop: AttachmentsDesktop
}

/**
 * Returns the handlers of all commands. They throw the errors of the services.
 */
export function commandHandlers(
  services: Services,
  model: AppModel,
  { login, copySupportReport, openClockSettings, copyText, readLicenses, desktop }: CommandOptions,
): CommandHandlers {
  const shared = forWindow<keyof SharedCommands>(
    sharedCommands(services, {
      instanceOf: (instanceId) => model.instance(instanceId).instance,
      sessionOf: ({ id }) => model.instance(id),
      languages: () => model.settings.languages,
      login,
      waitsForNetworkSignIn: true,
    }),
  )
  const confirm = confirmChanges({
    desktop,
    settings: services.settings,
    instances: services.instances,
    profileChoices: services.profileChoices,
    attachmentTransfers: services.attachmentTransfers,
    language: model.language,
  })
  const parts = { services, model, shared, confirm }
  return {
    ...shared,
    ...appsWindowHandlers({
      services,
      desktop,
      language: model.language,
      languages: () => model.settings.languages,
      settled: () => model.settings.settled(),
    }),
    ...listWindowHandlers(parts),
    ...connectionWindowHandlers(parts, copyText),
    ...instanceWindowHandlers(parts),
    ...settingsWindowHandlers({ ...parts, desktop }),
    ...attachmentsWindowHandlers({
      services,
      model: model.attachments,
      instance: (instanceId) => model.instance(instanceId).instance,
      desktop,
    }),
    ...updateHandlers(model, services),
    ...viewHandlers(model, new WindowDefects(services.log)),
    openClockSettings,
    openHelpPage: async ({ page }) => services.openBrowser(helpPages[page]),
    openContentLink: async ({ url }) => {
      if (!URL.canParse(url)) throw new CausewayError('usage/invalid-argument')
      await services.openBrowser(new URL(url))
    },
    copySupportReport,
    readLicenses: async () => ({ text: await readLicenses() }),
    copyText: ({ text }) => copyText(text),
  }
}

function updateHandlers({ update }: AppModel, { openBrowser }: Pick<Services, 'openBrowser'>) {
  return {
    dismissUpdate: () => update.dismiss(),
    openReleaseNotes: async () => {
      if (update.notes !== undefined) await openBrowser(update.notes)
    },
    installUpdate: (input) => update.install(input),
    cancelUpdate: () => {
      update.cancel()
      return Promise.resolve()
    },
  } satisfies Partial<CommandHandlers>
}

/** Returns the handlers of what the page reports, and of what it watches only while it shows it. */
function viewHandlers(model: AppModel, defects: WindowDefects) {
  return {
    watchTraffic: ({ wanted }) => {
      if (wanted) model.watch.watchTraffic()
      else model.watch.stopTraffic()
      return Promise.resolve()
    },
    watchConnectionLog: ({ after }) => {
      if (after === undefined) model.watch.stopLog()
      else model.watch.watchLog(after)
      return Promise.resolve()
    },
    reportDefect: (defect) => {
      defects.add(defect)
      return Promise.resolve()
    },
    dismissNotices: () => {
      model.notices.clear()
      return Promise.resolve()
    },
    arrivedAt: ({ view }) => {
      model.arrivedAt(view)
      return Promise.resolve()
    },
    takeLinkAddress: () => {
      model.takeLinkAddress()
      return Promise.resolve()
    },
  } satisfies Partial<CommandHandlers>
}
