import { attachmentsScenarios } from '../attachments/scenarios'
import { contentScenarios } from '../content/scenarios'
import { discoveryScenarios } from '../discovery/scenarios'
import { organizationsScenarios } from '../organizations/scenarios'
import { vpnScenarios } from '../vpn/scenarios'
import type { MockState } from '../mock-state'
import { generalScenarios } from './general-scenarios'
import type { Scenario } from './scenario'

/** Origins of scenarios, in the order of the list. */
export const scenarioParts = [
  'general',
  'vpn',
  'discovery',
  'attachments',
  'content',
  'organizations',
] as const
type ScenarioPart = (typeof scenarioParts)[number]

/** Returns all scenarios in the order of the list. */
export function scenariosOf(mockState: MockState): (Scenario & { part: ScenarioPart })[] {
  const byPart: Record<ScenarioPart, Scenario[]> = {
    general: generalScenarios(mockState),
    vpn: vpnScenarios(mockState.vpn, mockState),
    discovery: discoveryScenarios(mockState.discovery, mockState),
    attachments: attachmentsScenarios(mockState.attachments, mockState),
    content: contentScenarios(mockState.content, mockState),
    organizations: organizationsScenarios(mockState.organizations, mockState),
  }
  return scenarioParts.flatMap((part) => byPart[part].map((scenario) => ({ ...scenario, part })))
}
