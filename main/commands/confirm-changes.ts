import { dirname } from 'node:path'
import { serviceNames } from '../../contract/choices'
import type { ConnectionTarget } from '../../contract/connection'
import type { InstanceChanges } from '../../contract/instance-settings'
import { printable } from '../../contract/safe-text'
import { type SettingName, type Settings, settingsSchema } from '../../contract/settings'
import type { ProfileChoices } from '../connection/profile-list'
import { CausewayError } from '../errors'
import type { AttachmentTransfers } from '../services/attachments/attachment-transfers'
import { isOnItsWay, type Transfer } from '../services/attachments/transfer'
import type { Instance } from '../portal/instance/instance'
import type { InstanceList } from '../portal/instance/instance-list'
import { changedSettings } from '../portal/instance/service-settings'
import type { SettingsStore } from '../platform/settings/settings-store'
import type { AppLanguage } from './models/app-language'
import type { AttachmentsDesktop, DesktopQuestion } from './attachments-window-commands'

/** Asks the user before the page changes where Causeway sends data, lowers a protection, or names files to upload. */
export interface ConfirmChanges {
  /** Throws `http/cancelled` if the user refuses a new list of organizations, or its key, or to turn off a protection, or to let apps bypass the VPN. */
  setting(name: SettingName, value: string): Promise<void>
  /** Throws `http/cancelled` if the user refuses to let apps bypass the VPN of a profile; `mode` undefined: as the setting says. */
  appsMode(target: ConnectionTarget, mode: Settings['appsMode'] | undefined): Promise<void>
  /** Throws `http/cancelled` if the user refuses other addresses of services, and `usage/invalid-argument`. */
  services(instance: Instance, changes: InstanceChanges): Promise<void>
  /**
   * Throws `http/cancelled` if the user refuses the first connection to a service whose address was given in the window. Asks
   * once about each.
   */
  firstConnection(instanceId: string): Promise<void>
  /**
   * Throws `oauth/cancelled` if the user refuses to cancel the uploads and downloads of a service, which end with its login;
   * `action` says what would cancel them.
   */
  transfersEnd(instanceId: string, action: string): Promise<void>
  /** Returns false if the user refuses these paths, or if they are too scattered to be shown. */
  files(paths: readonly string[]): Promise<boolean>
}

/** What the button that agrees says. */
const actions = {
  apps: 'desktop.confirm.change',
  lists: 'desktop.confirm.change',
  services: 'desktop.confirm.change',
  files: 'desktop.confirm.add',
  protection: 'desktop.confirm.turnOff',
  first: 'connection.connect',
} as const

/** The most lines in a dialog. */
const maxLines = 20

export function confirmChanges(options: {
  readonly desktop: Pick<AttachmentsDesktop, 'confirm'>
  readonly settings: Pick<SettingsStore, 'all'>
  readonly instances: Pick<InstanceList, 'find' | 'confirm'>
  readonly profileChoices: Pick<ProfileChoices, 'of'>
  readonly attachmentTransfers: Pick<AttachmentTransfers, 'all'>
  readonly language: Pick<AppLanguage, 't'>
}): ConfirmChanges {
  const { desktop, settings, instances, profileChoices, attachmentTransfers, language } = options

  function ask(
    what: 'apps' | 'lists' | 'services' | 'files' | 'protection' | 'first',
    lines: readonly string[],
    names: { readonly instance?: string; readonly name?: string } = {},
  ): Promise<boolean> {
    const { t } = language
    return desktop.confirm({
      message: t(`desktop.confirm.${what}`, { instance: '', name: '', ...names }),
      detail: [...lines, ...(lines.length === 0 ? [] : ['']), t(`desktop.confirm.${what}Text`)].join('\n'),
      action: t(actions[what]),
      cancel: t('desktop.confirm.cancel'),
    })
  }
  const line = (label: string, value: string) =>
    `${label}: ${value === '' ? language.t('desktop.confirm.empty') : printable(value, 2048)}`

  async function changeMode(before: string, after: string): Promise<void> {
    if (after !== 'all' && after !== before && !(await ask('apps', []))) throw refused()
  }

  return {
    setting: async (name, value) => {
      const isProtection = name === 'killSwitch' || name === 'updates'
      if (isProtection && value === 'false' && (await settings.all())[name]) {
        if (!(await ask('protection', [], { name: language.t(`settings.${name}.label`) }))) throw refused()
      }
      if (name === 'appsMode') await changeMode((await settings.all()).appsMode, value)
      if (name !== 'discovery' && name !== 'discoveryKey') return
      // An invalid value is refused when it is set.
      if (!settingsSchema.shape[name].safeParse(value).success || (await settings.all())[name] === value)
        return
      const label = language.t(name === 'discovery' ? 'directory.setting.url' : 'directory.setting.key')
      if (!(await ask('lists', [line(label, value)]))) throw refused()
    },
    appsMode: async (target, mode) => {
      const { appsMode } = await settings.all()
      await changeMode((await profileChoices.of(target))?.appsMode ?? appsMode, mode ?? appsMode)
    },
    services: async (instance, changes) => {
      const after = changedSettings(instance, changes).services
      const changed = serviceNames.filter((name) => after?.[name] !== instance.services?.[name])
      if (changed.length === 0) return
      const lines = changed.map((name) => line(language.t(`settings.instance.${name}`), after?.[name] ?? ''))
      if (!(await ask('services', lines, { instance: instance.id }))) throw refused()
    },
    firstConnection: async (instanceId) => {
      const { id, address, managed, unconfirmed } = await instances.find(instanceId)
      if (unconfirmed !== true || managed === true) return
      if (!(await ask('first', [printable(address, 2048)], { instance: id }))) throw refused()
      await instances.confirm(id)
    },
    transfersEnd: async (instanceId, action) => {
      const isCancelled = (each: Transfer) => each.instanceId === instanceId && isOnItsWay(each)
      const count = attachmentTransfers.all().filter(isCancelled).length
      if (count > 0 && !(await desktop.confirm(endOfTransfers(language, { count, instanceId, action }))))
        throw new CausewayError('oauth/cancelled')
    },
    files: async (paths) => {
      // A hostile page must not hide one file among many.
      const lines = paths.length <= maxLines ? paths : countByFolder(paths)
      return (
        lines.length > 0 &&
        lines.length <= maxLines &&
        ask(
          'files',
          lines.map((each) => printable(each, 4096)),
        )
      )
    },
  }
}

function endOfTransfers(
  { t }: Pick<AppLanguage, 't'>,
  { count, instanceId, action }: { count: number; instanceId: string; action: string },
): DesktopQuestion {
  return {
    message: t('desktop.quitting.underWay', { count }),
    detail: t('desktop.confirm.transfersText', { instance: instanceId }),
    action,
    cancel: t('instance.notNow'),
  }
}

function countByFolder(paths: readonly string[]): string[] {
  const counts = new Map<string, number>()
  for (const path of paths) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1)
  return [...counts].map(([folder, count]) => `${folder} (${count})`)
}

function refused(): CausewayError {
  return new CausewayError('http/cancelled', { variant: 'nothing-changed' })
}
