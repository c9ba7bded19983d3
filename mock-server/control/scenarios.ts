import { attachmentsScenarios } from '../attachments/scenarios'
import { contentScenarios } from '../content/scenarios'
import { organizationsScenarios } from '../organizations/scenarios'
import { vpnScenarios } from '../vpn/scenarios'
import type { World } from '../world'
import type { Scenario } from './scenario'

/** Every situation that one call sets up, in the order in which they are listed. */
export function scenariosOf(world: World): Scenario[] {
  return [
    ...vpnScenarios(world.vpn, world),
    ...attachmentsScenarios(world.attachments, world),
    ...contentScenarios(world.content, world),
    ...organizationsScenarios(world.organizations, world),
  ]
}
