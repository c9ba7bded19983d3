import type { Scenario } from '../../control/scenario'
import type { TunnelAction } from '../tunnel/tunnel'
import type { VpnService } from '../vpn-service'

/** What can happen to the OpenVPN servers; they can be set up only where some run. */
export function tunnelScenarios(service: VpnService): Scenario[] {
  const tunnel = (name: string, sentence: string, action: TunnelAction): Scenario => ({
    name,
    sentence,
    apply: () => {
      if (service.tunnel.status.mode === 'none') throw new Error('Start the mock with --tunnel openvpn.')
      // Never rejects: the status of the tunnel says what became of it.
      void service.tunnel.act(action)
    },
  })
  return [
    tunnel(
      'vpn-servers-gone',
      'The OpenVPN servers are gone: TCP is refused, and UDP is refused or unanswered.',
      'stop',
    ),
    tunnel(
      'vpn-servers-frozen',
      'The OpenVPN servers stand still: connections stay open, and no packet is answered.',
      'freeze',
    ),
    tunnel(
      'vpn-servers-restarted',
      'The OpenVPN servers were restarted just now: connected clients have to connect again, which works.',
      'restart',
    ),
  ]
}
