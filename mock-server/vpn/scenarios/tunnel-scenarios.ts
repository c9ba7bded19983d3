import type { Scenario, ScenarioTools } from '../../control/scenario'
import { portalPaths } from '../situation'
import { needsHooks, type Refusal } from '../tunnel/refusals'
import type { TunnelAction } from '../tunnel/tunnel'
import type { VpnService } from '../vpn-service'

/** Returns the scenarios of the OpenVPN servers. They can be applied only if servers run. */
export function tunnelScenarios(service: VpnService, { faults }: ScenarioTools): Scenario[] {
  const withTunnel = (name: string, sentence: string, apply: () => unknown): Scenario => ({
    name,
    sentence,
    apply: () => {
      if (service.tunnel.status.mode === 'none') throw new Error('Start the mock with --tunnel openvpn.')
      // Never rejects: the status of the tunnel reports failures.
      void apply()
    },
  })
  const tunnel = (name: string, sentence: string, action: TunnelAction): Scenario =>
    withTunnel(name, sentence, () => service.tunnel.act(action))
  const refusing = (name: string, sentence: string, refusal: Refusal): Scenario =>
    withTunnel(name, sentence, () => {
      if (service.tunnel.status.mode !== 'full') throw new Error(needsHooks)
      service.tunnel.refuseAll(refusal)
    })
  return [
    tunnel(
      'vpn-servers-gone',
      'The OpenVPN servers are gone: TCP is refused, and UDP is refused or unanswered.',
      'stop',
    ),
    tunnel(
      'vpn-servers-frozen',
      'The OpenVPN servers are frozen: connections stay open, and no packet is answered.',
      'freeze',
    ),
    tunnel(
      'vpn-servers-restarted',
      'The OpenVPN servers have just restarted: connected clients have to reconnect, which works.',
      'restart',
    ),
    withTunnel(
      'vpn-servers-moved',
      "The OpenVPN servers have new ports: connected clients have to fetch the profile's configuration again.",
      () => service.tunnel.move(),
    ),
    withTunnel(
      'vpn-authority-renewed',
      'The OpenVPN servers have certificates from another CA, and the certificates issued so far are reported certificate_missing: clients need a new configuration and a new certificate.',
      () => service.renewAuthority(),
    ),
    refusing(
      'vpn-servers-refuse',
      'The OpenVPN servers refuse everybody with AUTH_FAILED, as with a broken back end; check_certificate reports certificates as valid.',
      { kind: 'auth-failed' },
    ),
    refusing(
      'vpn-servers-refuse-with-reason',
      'The OpenVPN servers refuse everybody with AUTH_FAILED and a reason; check_certificate reports certificates as valid.',
      { kind: 'auth-failed', reason: 'The back end is not reachable' },
    ),
    refusing(
      'vpn-servers-refuse-at-first',
      'The OpenVPN servers refuse the next two connections with AUTH_FAILED, as after a reboot, and accept later ones.',
      { kind: 'auth-failed', times: 2 },
    ),
    withTunnel(
      'portal-and-servers-down',
      'The portal answers 503, and its OpenVPN servers, which restart and cannot ask it, refuse everybody with AUTH_FAILED.',
      async () => {
        for (const path of portalPaths) faults.add({ match: { path }, fault: { status: 503 } })
        service.tunnel.refuseAll({ kind: 'auth-failed' })
        await service.tunnel.act('restart')
      },
    ),
    refusing(
      'vpn-servers-silent-after-handshake',
      'The OpenVPN servers are silent after the TLS handshake: clients are dropped without a reason.',
      { kind: 'silence' },
    ),
  ]
}
