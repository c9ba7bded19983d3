import type { Scenario, ScenarioTools } from '../../control/scenario'
import type { OfferedApi } from '../situation'
import type { VpnService } from '../vpn-service'
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
  const offering = (name: string, sentence: string, offersApi: OfferedApi): Scenario => ({
    name,
    sentence,
    apply: () => {
      service.situation = { offersApi }
    },
  })
  const refusing = (name: string, sentence: string, refusal: Situation3['refusesConnect']): Scenario =>
    version3(name, sentence, () => (refusal === undefined ? {} : { refusesConnect: refusal }))
  return [
    offering('api-2-and-3', 'The portal offers versions 2 and 3 of the API; logins stay valid.', '2,3'),
    offering('api-3-only', 'The portal offers only version 3 of the API; logins stay valid.', '3'),
    offering('api-2-only', 'The portal offers only version 2 of the API; logins stay valid.', '2'),
    {
      name: 'portal-moved-to-version-3',
      sentence:
        'The portal was replaced by one of version 3: version 2 of the API is gone, and so are all logins and certificates.',
      apply: () => {
        service.situation = { offersApi: '3' }
        service.tokens.endSessions(0, { later: false })
        service.distrust('certificate_missing', 'those so far')
      },
    },
    refusing('connect-not-acceptable', 'Version 3: /connect answers 406, no common VPN protocol.', {
      status: 406,
      error: 'no common VPN protocol',
    }),
    version3(
      'connect-forbidden',
      'Version 3: /connect answers 403, because the user may have no configurations.',
      () => ({ maxConfigurations: 0 }),
    ),
    refusing(
      'connect-no-such-profile',
      'Version 3: /connect answers 404 for every profile that /info lists.',
      {
        status: 404,
        error: 'no such "profile_id"',
      },
    ),
    refusing('connect-fails', 'Version 3: /connect answers 500 with a text.', {
      status: 500,
      error: '/connect failed: unable to find a suitable node to connect to',
    }),
    version3(
      'one-device-only',
      'Version 3: a user may have one configuration, so that /connect on one device disconnects the other one.',
      () => ({ maxConfigurations: 1 }),
    ),
    version3('disconnect-ends-login', 'Version 3: /disconnect ends the login as well.', () => ({
      deletesAuthorizationOnDisconnect: true,
    })),
    {
      name: 'configuration-withdrawn',
      sentence:
        'Version 3: the configurations so far are no longer valid; OpenVPN disconnects their clients and refuses them (AUTH_FAILED). /connect works.',
      apply: () => {
        service.distrust('certificate_missing', 'those so far')
        // Never rejects.
        for (const { id } of service.version3.configurations) void service.tunnel.disconnect(id)
      },
    },
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
    version3('wireguard-hostile', 'Version 3: WireGuard configurations try to run commands.', () => ({
      changeConnect: (answer) => ({
        ...answer,
        body: answer.body.replace(
          '[Interface]',
          '[Interface]\nPreUp = /usr/bin/false\nPostUp = /usr/bin/false',
        ),
      }),
    })),
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
