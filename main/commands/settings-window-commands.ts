import type { Services } from '../app/services'
import { killSwitchNeedsHelper } from '../privilege/kill-switch'
import type { AttachmentsDesktop } from './attachments-window-commands'
import type { ConfirmChanges } from './confirm-changes'
import type { CommandHandlers } from './dispatch'
import type { AppModel } from './models/app-model'
import type { SharedCommands } from './shared-commands'

/** Returns the handlers of settings and of the helper. They resolve once the window shows the change. */
export function settingsWindowHandlers({
  services,
  model,
  shared,
  confirm,
  desktop,
}: {
  readonly services: Pick<Services, 'settings' | 'helper' | 'checkOpenVpn'>
  readonly model: AppModel
  readonly shared: Pick<CommandHandlers<keyof SharedCommands>, 'setSetting'>
  readonly confirm: ConfirmChanges
  readonly desktop: Pick<AttachmentsDesktop, 'chooseFiles'>
}) {
  /** The page can't name a program, so this is no setting of the contract's. */
  const setOpenVpnPath = async (path: string): Promise<void> => {
    await services.settings.set('openvpnPath', path)
    await model.settings.settled()
  }
  return {
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
  } satisfies Partial<CommandHandlers>
}
