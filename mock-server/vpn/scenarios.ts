import { z } from 'zod'
import { faultSchema, type Fault } from '../control/faults'
import type { Scenario, ScenarioTools } from '../control/scenario'
import { authorizeOutcomes } from './authorize-behaviour'
import { certificateReasons } from './certificate-authority'
import { answerScenarios } from './scenarios/answer-scenarios'
import { tunnelScenarios } from './scenarios/tunnel-scenarios'
import { infoPaths, portalPaths, situationFlags } from './situation'
import { version3Scenarios } from './v3/scenarios'
import type { VpnService } from './vpn-service'
import { wireguardFaults } from './wireguard/wireguard'

const sessions = z.strictObject({ endInSeconds: z.int(), later: z.boolean() })
const invalidReport = z.strictObject({
  reason: z.enum(certificateReasons),
  which: z.enum(['issued', 'all']),
})

/** Returns what the settings for the VPN instance change in scenarios.json. Each parses its value. */
export function vpnSettings(
  service: VpnService,
  { faults, clock }: ScenarioTools,
): Record<string, (value: unknown) => void> {
  const addFault = (paths: readonly string[], fault: Fault) => {
    for (const path of paths) faults.add({ match: { path }, fault })
  }
  return {
    authorize: (value) => {
      service.authorize.decide({ next: z.enum(authorizeOutcomes).parse(value) })
    },
    vpn: (value) => {
      service.situation = situationFlags.parse(value)
    },
    reportInvalid: (value) => {
      const { reason, which } = invalidReport.parse(value)
      service.reportInvalid(reason, which)
    },
    sessions: (value) => {
      const { endInSeconds, later } = sessions.parse(value)
      service.tokens.endSessions(endInSeconds, { later })
    },
    accessTokenSeconds: (value) => {
      service.tokens.accessTokenSeconds = z.int().parse(value)
    },
    accessTokens: (value) => {
      z.literal('refused').parse(value)
      service.tokens.refuseAccessTokens()
    },
    logins: (value) => {
      z.literal('revoked').parse(value)
      service.endLogins()
    },
    clients: (value) => {
      z.literal('disconnected').parse(value)
      service.disconnectClients()
    },
    wireguard: (value) => {
      const faults = wireguardFaults.parse(value)
      requireWireguard(service)
      void service.wireguard.setFaults(faults)
    },
    wireguardPeers: (value) => {
      z.literal('removed').parse(value)
      requireWireguard(service)
      void service.version3.removePeers()
    },
    clockSeconds: (value) => {
      clock.advance(z.int().parse(value))
    },
    portalFault: (value) => {
      addFault(portalPaths, faultSchema.parse(value))
    },
    discoveryFault: (value) => {
      addFault(infoPaths, faultSchema.parse(value))
    },
  }
}

function requireWireguard({ wireguard }: VpnService): void {
  if (wireguard.status.mode === 'full') return
  throw new Error(wireguard.status.reason ?? 'Start the mock with --tunnel wireguard.')
}

/** Returns the scenarios of the VPN instance that aren't in scenarios.json. */
export function vpnScenarios(service: VpnService, tools: ScenarioTools): Scenario[] {
  return [
    ...answerScenarios(service, tools),
    ...tunnelScenarios(service, tools),
    ...version3Scenarios(service, tools),
  ]
}
