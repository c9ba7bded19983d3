import { z } from 'zod'
import { finding } from '../../contract/doctor'
import type { SettingName } from '../../contract/settings'
import { helpPages } from '../app/diagnostics/help-pages'
import { killSwitchNeedsHelper } from '../privilege/kill-switch'
import type { AppModel } from './models/app-model'
import type { Services } from '../app/services'
import { type AttachmentsDesktop, attachmentsCommandHandlers } from './attachments-commands'
import { confirmChanges } from './confirm-changes'
import { contentCommandHandlers } from './content-commands'
import type { CommandHandlers } from './dispatch'
import { instanceSettingsCommandHandlers } from './instance-settings-commands'
import { organizationListCommandHandlers } from './organization-list-commands'
import { organizationsCommandHandlers } from './organizations-commands'
import { WindowDefects } from './window-defects'

export interface CommandOptions {
  /** True if connecting may open the browser. */
  readonly login: 'allowed' | 'never'
  readonly copySupportReport: () => Promise<void>
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
  { login, copySupportReport, copyText, readLicenses, desktop }: CommandOptions,
): CommandHandlers {
  const setSetting = async (name: SettingName, text: string): Promise<void> => {
    await services.settings.set(name, text)
    await model.settings.settled()
  }

  const instanceOf = (instanceId: string) => model.instance(instanceId).instance
  const defects = new WindowDefects(services.log)
  const instanceSettings = instanceSettingsCommandHandlers(services)
  const confirm = confirmChanges({ desktop, settings: services.settings, language: model.language })
  return {
    addInstance: async ({ address }) => {
      const { id } = await services.addInstance({ address })
      await model.instances.listed()
      return { instanceId: id }
    },
    removeInstance: async ({ instanceId }) => {
      model.instance(instanceId).cancelLogIn()
      await services.removeInstance(instanceId)
      await model.instances.listed()
    },
    logIn: async ({ instanceId }) => model.instance(instanceId).logIn(),
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
    logOut: async ({ instanceId }) => {
      const view = model.instance(instanceId)
      try {
        await services.disconnectFrom(instanceId)
      } finally {
        await view.logOut()
      }
    },
    renewSession: async ({ instanceId, profileId, takeOver = false }) => {
      const view = model.instance(instanceId)
      await view.renew(async () => {
        await services.renewSession(view.instance, { login, takeOver, profileId }, () => view.logIn())
        await view.readValidity()
      })
    },
    refreshProfiles: async ({ instanceId }) => model.instance(instanceId).refreshProfiles(),
    refreshMessages: async ({ instanceId }) => model.instance(instanceId).refreshMessages(),
    markMessagesRead: async ({ instanceId, ids }) => model.instances.markMessagesRead(instanceId, ids),
    connect: async ({ takeOver, preferTcp, ...target }) => {
      model.instance(target.instanceId)
      if (takeOver === true) {
        await services.connection.validate(target)
        await services.tunnel.askToDisconnect({ takesOver: true })
      }
      await services.connection.connect(target, { login, preferTcp })
    },
    disconnect: () => model.disconnect(),
    retryNow: () => {
      // Another process makes its own attempts.
      if (!model.showsOther()) services.connection.retryNow()
      return Promise.resolve()
    },
    releaseTraffic: async () => {
      await services.releaseTraffic()
    },
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
      await setSetting(name, value)
    },
    setOpenVpn: async ({ by }) => {
      if (by === 'detection') return setSetting('openvpnPath', '')
      const title = model.language.t('settings.openvpnPath.text')
      const [path] = await desktop.chooseFiles({ several: false, title })
      if (path === undefined) return
      await services.checkOpenVpn(path)
      await setSetting('openvpnPath', path)
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
    runDoctor: async () => z.array(finding).parse(await services.diagnose()),
    openHelpPage: async ({ page }) => services.openBrowser(helpPages[page]),
    ...attachmentsCommandHandlers({
      services,
      model: model.attachments,
      instance: instanceOf,
      desktop,
    }),
    ...instanceSettings,
    setInstanceSettings: async (input) => {
      await confirm.services(await services.instances.find(input.instanceId), input)
      await instanceSettings.setInstanceSettings(input)
      // The next command uses the new settings.
      await model.instances.listed()
    },
    ...organizationListCommandHandlers(services, model),
    ...organizationsCommandHandlers(services, instanceOf),
    ...contentCommandHandlers(services, instanceOf),
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
