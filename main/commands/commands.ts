import { helpPages } from '../app/diagnostics/help-pages'
import { killSwitchNeedsHelper } from '../privilege/kill-switch'
import type { AppModel } from './models/app-model'
import type { Services } from '../app/services'
import { CausewayError } from '../errors'
import { type AttachmentsDesktop, attachmentsWindowHandlers } from './attachments-window-commands'
import { confirmChanges } from './confirm-changes'
import { appsWindowHandlers } from './apps-window-commands'
import type { CommandHandlers } from './dispatch'
import { type SharedCommands, sharedCommands } from './shared-commands'
import { forWindow } from './shown'
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
    }),
  )
  /** Runs a command, and waits until the list of instances shows what it did. */
  const listed =
    <Input, Output>(run: (input: Input) => Promise<Output>) =>
    async (input: Input): Promise<Output> => {
      const output = await run(input)
      await model.instances.listed()
      return output
    }
  /** The page can't name a program, so this is no setting of the contract's. */
  const setOpenVpnPath = async (path: string): Promise<void> => {
    await services.settings.set('openvpnPath', path)
    await model.settings.settled()
  }
  const instanceOf = (instanceId: string) => model.instance(instanceId).instance
  const defects = new WindowDefects(services.log)
  const confirm = confirmChanges({
    desktop,
    settings: services.settings,
    instances: services.instances,
    language: model.language,
  })
  return {
    ...shared,
    ...appsWindowHandlers({
      services,
      desktop,
      language: model.language,
      languages: () => model.settings.languages,
      settled: () => model.settings.settled(),
    }),
    addInstance: listed(async ({ address }) => {
      const { id } = await services.addInstance({ address, unconfirmed: true })
      return { instanceId: id }
    }),
    connect: async (input) => {
      await confirm.firstConnection(input.instanceId)
      return shared.connect(input)
    },
    removeInstance: listed(async (input) => {
      model.instance(input.instanceId).cancelLogIn()
      await shared.removeInstance(input)
    }),
    cancelLogIn: async ({ instanceId }) => {
      if (model.instance(instanceId).cancelLogIn()) return
      // The login belongs to a connection and ends with it.
      const { state } = services.connection
      if (state.state === 'authorizing' && state.target.instanceId === instanceId) {
        await services.connection.disconnect()
      }
    },
    openLogInAgain: async ({ instanceId }) => services.browserLogins.of(instanceId)?.openAgain(),
    copyLogInLink: async ({ instanceId }) => {
      const login = services.browserLogins.of(instanceId)
      if (login !== undefined) await copyText(login.link.href)
    },
    renewSession: async (input) => {
      const view = model.instance(input.instanceId)
      // It may connect afterwards.
      await confirm.firstConnection(input.instanceId)
      await view.renew(async () => {
        await shared.renewSession(input)
        await view.readValidity()
      })
    },
    refreshProfiles: async ({ instanceId }) => model.instance(instanceId).refreshProfiles(),
    refreshMessages: async ({ instanceId }) => model.instance(instanceId).refreshMessages(),
    markMessagesRead: async ({ instanceId, ids }) => model.instances.markMessagesRead(instanceId, ids),
    disconnect: () => model.disconnect(),
    retryNow: () => {
      // Another process makes its own attempts.
      if (!model.showsOther()) services.connection.retryNow()
      return Promise.resolve()
    },
    openNetworkPage: async ({ instanceId }) =>
      services.openNetworkPage(new URL(instanceOf(instanceId).address)),
    openClockSettings,
    refreshKillSwitch: async () => {
      await model.refreshPrivilege()
    },
    installHelper: async () => {
      try {
        await services.helper.install()
      } finally {
        await model.refreshPrivilege()
      }
    },
    setSetting: async ({ name, value }) => {
      if (name === 'killSwitch' && value === 'true' && (await model.refreshPrivilege()) === 'no-helper') {
        throw killSwitchNeedsHelper()
      }
      await confirm.setting(name, value)
      await shared.setSetting({ name, value })
      await model.settings.settled()
    },
    setOpenVpn: async ({ by }) => {
      if (by === 'detection') return setOpenVpnPath('')
      const title = model.language.t('settings.openvpnPath.text')
      const [path] = await desktop.chooseFiles({ several: false, title })
      if (path === undefined) return
      await services.checkOpenVpn(path)
      await setOpenVpnPath(path)
    },
    dismissUpdate: () => model.update.dismiss(),
    openReleaseNotes: async () => {
      if (model.update.notes !== undefined) await services.openBrowser(model.update.notes)
    },
    installUpdate: (input) => model.update.install(input),
    cancelUpdate: () => {
      model.update.cancel()
      return Promise.resolve()
    },
    openHelpPage: async ({ page }) => services.openBrowser(helpPages[page]),
    ...attachmentsWindowHandlers({ services, model: model.attachments, instance: instanceOf, desktop }),
    setInstanceSettings: listed(async (input) => {
      await confirm.services(await services.instances.find(input.instanceId), input)
      // The next command uses the new settings.
      await shared.setInstanceSettings(input)
    }),
    addOrganization: listed(shared.addOrganization),
    setLocation: listed(shared.setLocation),
    openSupportContact: async ({ instanceId, contact }) => {
      if (!model.instance(instanceId).hasSupportContact(contact))
        throw new CausewayError('usage/invalid-argument')
      await services.openBrowser(new URL(contact))
    },
    openContentLink: async ({ url }) => {
      if (!URL.canParse(url)) throw new CausewayError('usage/invalid-argument')
      await services.openBrowser(new URL(url))
    },
    copySupportReport,
    readLicenses: async () => ({ text: await readLicenses() }),
    copyText: ({ text }) => copyText(text),
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
    chooseProtocol: async (choice) => {
      model.instance(choice.instanceId)
      await services.profileChoices.put(choice)
    },
    foldService: async ({ instanceId, folded }) => {
      model.instance(instanceId)
      await services.serviceFolds.put({ instanceId, profileId: '', folded })
    },
    starProfile: async ({ starred, ...target }) => {
      model.instance(target.instanceId)
      await services.starredProfiles[starred ? 'put' : 'remove'](target)
    },
  }
}
