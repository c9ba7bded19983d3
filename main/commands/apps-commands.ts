import type { appsCommands } from '../../contract/apps'
import type { CommandInput } from '../../contract/commands'
import type { Services } from '../app/services'
import type { Face } from './face'
import { done, type SharedHandlers, shown } from './shown'

type SharedAppsCommand = Extract<keyof typeof appsCommands, 'listApps' | 'setApp'>

/** Returns the handlers for apps outside or inside the tunnel. They throw the errors of AppServices. */
export function appsHandlers({ apps }: Pick<Services, 'apps'>, { languages }: Pick<Face, 'languages'>) {
  return {
    listApps: shown(
      async (_: CommandInput<'listApps'>) => {
        const [here, all] = await Promise.all([apps.here(), apps.all(await languages())])
        return { here, apps: all }
      },
      (answer) => answer,
    ),
    setApp: done(async ({ app, listed }: CommandInput<'setApp'>) => apps.set(app, listed)),
  } satisfies SharedHandlers<SharedAppsCommand>
}
