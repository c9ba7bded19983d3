import type { Scenario, ScenarioTools } from '../control/scenario'
import { answerScenarios } from './scenarios/answer-scenarios'
import { certificateScenarios } from './scenarios/certificate-scenarios'
import { loginScenarios } from './scenarios/login-scenarios'
import { portalScenarios } from './scenarios/portal-scenarios'
import { tunnelScenarios } from './scenarios/tunnel-scenarios'
import { version3Scenarios } from './v3/scenarios'
import type { VpnService } from './vpn-service'

/** Returns the scenarios of the VPN instance. */
export function vpnScenarios(service: VpnService, tools: ScenarioTools): Scenario[] {
  return [
    ...loginScenarios(service, tools),
    ...certificateScenarios(service, tools),
    ...answerScenarios(service, tools),
    ...tunnelScenarios(service, tools),
    ...portalScenarios(service, tools),
    ...version3Scenarios(service, tools),
  ]
}
