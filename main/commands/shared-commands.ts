import type { Services } from '../app/services'
import { appsHandlers } from './apps-commands'
import { attachmentsHandlers } from './attachments-commands'
import { connectionHandlers } from './connection-commands'
import { contentHandlers } from './content-commands'
import type { Face } from './face'
import { instanceSettingsHandlers } from './instance-settings-commands'
import { organizationListHandlers } from './organization-list-commands'
import { organizationsHandlers } from './organizations-commands'

/** The commands of window and terminal. What only one of them has is in one-face.ts, with its reason. */
export type SharedCommands = ReturnType<typeof sharedCommands>

/** Returns the handlers of the commands that window and terminal have. */
export function sharedCommands(services: Services, face: Face) {
  return {
    ...connectionHandlers(services, face),
    ...instanceSettingsHandlers(services),
    ...appsHandlers(services, face),
    ...organizationListHandlers(services, face),
    ...attachmentsHandlers(services, face.instanceOf),
    ...contentHandlers(services, face.instanceOf),
    ...organizationsHandlers(services, face.instanceOf),
  }
}
