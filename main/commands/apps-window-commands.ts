import type { appsCommands } from '../../contract/apps'
import type { Services } from '../app/services'
import { CausewayError } from '../errors'
import type { AttachmentsDesktop } from './attachments-window-commands'
import type { CommandHandlers } from './dispatch'
import type { AppLanguage } from './models/app-language'
import { requireSide } from './require-side'

interface AppsWindowOptions {
  readonly services: Pick<Services, 'apps' | 'settings' | 'tunnel'>
  readonly desktop: Pick<AttachmentsDesktop, 'chooseFiles'>
  readonly language: Pick<AppLanguage, 't'>
  readonly languages: () => readonly string[]
  /** Waits until the window has the settings. */
  readonly settled: () => Promise<void>
}

/**
 * Returns the handlers of the apps' commands that only the window has. The page names no program: it chooses among the installed apps,
 * and the user adds others in a system dialog.
 */
export function appsWindowHandlers({
  services: { apps, settings, tunnel },
  desktop,
  language,
  languages,
  settled,
}: AppsWindowOptions): CommandHandlers<Exclude<keyof typeof appsCommands, 'listApps'>> {
  async function set(app: string, listed: boolean): Promise<void> {
    await apps.set(app, listed)
    await settled()
  }
  return {
    setApp: async ({ app, listed }) => {
      if (listed && !(await apps.all(languages())).some(({ id, installed }) => installed && id === app))
        throw new CausewayError('apps/unknown', { details: { app } })
      await set(app, listed)
    },
    appIcon: async ({ app }) => ({ url: await apps.icon(app) }),
    addAppByFile: async () => {
      const title = language.t('settings.apps.add')
      const [path] = await desktop.chooseFiles({ several: false, title })
      if (path !== undefined) await set(await apps.find(path, languages()), true)
    },
    openApart: async ({ app }) => {
      const use = await tunnel.use()
      const connection = use.use === 'held' ? use.holder.connection : undefined
      const split = connection?.state === 'connected' ? connection.apps : undefined
      const side = (split?.mode ?? (await settings.all()).appsMode) === 'only' ? 'inside' : 'outside'
      await requireSide(tunnel, side)
      await apps.open(side, app)
    },
  }
}
