import type { Scenario, ScenarioTools } from '../control/scenario'
import type { ContentService } from './content-service'

/** The situations of this part. */
export function contentScenarios(service: ContentService, tools: ScenarioTools): Scenario[] {
  void [service, tools]
  return []
}
