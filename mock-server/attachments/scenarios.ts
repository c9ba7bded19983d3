import type { Scenario, ScenarioTools } from '../control/scenario'
import type { AttachmentsService } from './attachments-service'

/** The situations of this part. */
export function attachmentsScenarios(service: AttachmentsService, tools: ScenarioTools): Scenario[] {
  void [service, tools]
  return []
}
