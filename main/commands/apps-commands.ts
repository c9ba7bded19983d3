import type { appsCommands } from '../../contract/apps'
import type { CommandInput } from '../../contract/commands'
import type { Services } from '../app/services'
import { CausewayError } from '../errors'
import type { Face } from './face'
import { voidHandler, type SharedHandlers, handler } from './handler'

type SharedAppsCommand = Extract<keyof typeof appsCommands, 'listApps' | 'setApp'> | 'chooseAppsMode'

/** Returns the handlers for apps outside or inside the tunnel. They throw the errors of AppServices, and `settings/managed`. */
export function appsHandlers(
  { apps, settings, profileChoices }: Pick<Services, 'apps' | 'settings' | 'profileChoices'>,
  { languages }: Pick<Face, 'languages'>,
) {
  return {
    listApps: handler(
      async (_: CommandInput<'listApps'>) => {
        const [here, all, networkNames] = await Promise.all([
          apps.here(),
          apps.all(await languages()),
          apps.hasNetworkNames(),
        ])
        return { here, apps: all, networkNames }
      },
      (answer) => answer,
    ),
    setApp: voidHandler(async ({ app, listed }: CommandInput<'setApp'>) => apps.set(app, listed)),
    chooseAppsMode: voidHandler(async ({ mode, ...target }: CommandInput<'chooseAppsMode'>) => {
      if ((await settings.managed()).includes('appsMode'))
        throw new CausewayError('settings/managed', { details: { name: 'appsMode' } })
      await profileChoices.choose({ ...target, appsMode: mode })
    }),
  } satisfies SharedHandlers<SharedAppsCommand>
}
