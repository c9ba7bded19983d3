import type { Scenario, ScenarioTools } from '../control/scenario'
import type { VpnService } from './vpn-service'

/** The situations of this part. */
export function vpnScenarios(service: VpnService, tools: ScenarioTools): Scenario[] {
  void [service, tools]
  return []
}
