import type { Scenario, ScenarioTools } from '../../control/scenario'
import type { VpnService } from '../vpn-service'
import { hostileLines, hostileWireguard } from './hostile-wireguard'
import type { Situation3 } from './situation'

const hourMs = 3_600_000

/** Returns the scenarios of version 3 of the API. Version 2 isn't affected. */
export function version3Scenarios(service: VpnService, { clock }: ScenarioTools): Scenario[] {
  const version3 = (name: string, sentence: string, situation: () => Situation3): Scenario => ({
    name,
    sentence,
    apply: () => {
      service.situation = { version3: situation() }
    },
  })
  return [
    version3(
      'connect-already-expired',
      'Version 3: Expires of /connect is an hour ago, while the tokens work.',
      () => ({
        changeConnect: (answer) => ({ ...answer, expires: new Date(clock.now().getTime() - hourMs) }),
      }),
    ),
    version3('connect-without-expires', 'Version 3: /connect sends no Expires.', () => ({
      changeConnect: ({ contentType, body }) => ({ contentType, body }),
    })),
    version3('connect-malformed-expires', 'Version 3: Expires of /connect is no date.', () => ({
      changeConnect: (answer) => ({ ...answer, expires: 'in three months' }),
    })),
    version3(
      'connect-wrong-content-type',
      'Version 3: the Content-Type of /connect is text/plain; charset=utf-8.',
      () => ({ changeConnect: (answer) => ({ ...answer, contentType: 'text/plain; charset=utf-8' }) }),
    ),
    version3('connect-other-protocol', 'Version 3: /connect names the type of the other protocol.', () => ({
      changeConnect: (answer) => ({
        ...answer,
        contentType: answer.contentType.includes('openvpn')
          ? 'application/x-wireguard-profile'
          : 'application/x-openvpn-profile',
      }),
    })),
    {
      name: 'wireguard-hostile',
      sentence: `Version 3: there is one profile for each of ${hostileLines.size} ways to break the rules of a WireGuard configuration, named after it; that of every other profile tries to run commands.`,
      apply: () => {
        service.situation = {
          profiles: [
            ...service.profiles,
            ...[...hostileLines].map(([name, { transport }]) => ({
              profile_id: name,
              display_name: `Hostile: ${name}`,
              default_gateway: false,
              vpn_proto_transport_list: [transport],
            })),
          ],
          changeConfig: ({ contentType, body }, profileId) => ({
            contentType,
            body: contentType.includes('wireguard') ? hostileWireguard(body, profileId) : body,
          }),
        }
      },
    },
    version3(
      'wireguard-endpoint-is-loopback',
      'Version 3: the endpoint of WireGuard configurations is localhost, a name that resolves to loopback.',
      () => ({
        changeConnect: (answer) => ({
          ...answer,
          body: answer.body.replace(/^Endpoint = .*$/m, 'Endpoint = localhost:51820'),
        }),
      }),
    ),
    version3('display-name-object', 'Version 3: every display_name is an object of languages.', () => ({
      changeInfo: (profiles) =>
        profiles.map((profile) => ({
          ...profile,
          display_name: {
            en: `${profile.display_name} (English)`,
            nl: `${profile.display_name} (Nederlands)`,
          },
        })),
    })),
    version3('info-unknown-fields', 'Version 3: profiles have undocumented fields and protocols.', () => ({
      changeInfo: (profiles) =>
        profiles.map((profile) => ({
          ...profile,
          vpn_proto_list: [...profile.vpn_proto_list, 'carrier-pigeon'],
          vpn_proto_transport_list: [...(profile.vpn_proto_transport_list ?? []), 'carrier-pigeon+air'],
          vpn_proto_preferred: 'carrier-pigeon',
          oauth_scope: null,
          limits: { bandwidth: [1, 2, 3] },
        })),
    })),
    version3('info-without-transports', 'Version 3: profiles have no vpn_proto_transport_list.', () => ({
      changeInfo: (profiles) =>
        profiles.map(({ vpn_proto_transport_list: _transports, ...profile }) => profile),
    })),
    version3(
      'info-wireguard-only',
      'Version 3: /info lists only profiles with WireGuard and no OpenVPN.',
      () => ({
        changeInfo: (profiles) =>
          profiles.filter(({ vpn_proto_list }) => !vpn_proto_list.includes('openvpn')),
      }),
    ),
  ]
}
