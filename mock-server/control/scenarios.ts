import { attachmentsScenarios } from '../attachments/scenarios'
import { contentScenarios } from '../content/scenarios'
import { organizationsScenarios } from '../organizations/scenarios'
import { vpnScenarios } from '../vpn/scenarios'
import type { World } from '../world'
import { generalScenarios } from './general-scenarios'
import type { Scenario } from './scenario'

/** Where scenarios come from, in the order in which they are listed. */
export const scenarioParts = ['general', 'vpn', 'attachments', 'content', 'organizations'] as const
export type ScenarioPart = (typeof scenarioParts)[number]

/** Every situation that one call sets up, in the order in which they are listed. */
export function scenariosOf(world: World): (Scenario & { part: ScenarioPart })[] {
  const byPart: Record<ScenarioPart, Scenario[]> = {
    general: generalScenarios(world),
    vpn: vpnScenarios(world.vpn, world),
    attachments: attachmentsScenarios(world.attachments, world),
    content: contentScenarios(world.content, world),
    organizations: organizationsScenarios(world.organizations, world),
  }
  return scenarioParts.flatMap((part) => byPart[part].map((scenario) => ({ ...scenario, part })))
}
