import type { Scenario, ScenarioTools } from '../control/scenario'
import { answerScenarios } from './scenarios/answer-scenarios'
import { certificateScenarios } from './scenarios/certificate-scenarios'
import { loginScenarios } from './scenarios/login-scenarios'
import { portalScenarios } from './scenarios/portal-scenarios'
import { tunnelScenarios } from './scenarios/tunnel-scenarios'
import type { VpnService } from './vpn-service'

/** The situations of this part. */
export function vpnScenarios(service: VpnService, tools: ScenarioTools): Scenario[] {
  return [
    ...loginScenarios(service, tools),
    ...certificateScenarios(service, tools),
    ...answerScenarios(service, tools),
    ...tunnelScenarios(service),
    ...portalScenarios(service, tools),
  ]
}
