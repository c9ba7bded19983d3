import type { Scenario, ScenarioTools } from '../control/scenario'
import type { OrganizationsService } from './organizations-service'

/** The situations of this part. */
export function organizationsScenarios(service: OrganizationsService, tools: ScenarioTools): Scenario[] {
  void [service, tools]
  return []
}
