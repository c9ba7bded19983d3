import type { Scenario, ScenarioTools } from '../../control/scenario'
import type { Distrust } from '../situation'
import type { VpnService } from '../vpn-service'

const hours = 2
const days = 2
const daySeconds = 24 * 60 * 60

/** Returns the scenarios in which certificates and key pairs fail. */
export function certificateScenarios(service: VpnService, { faults, clock }: ScenarioTools): Scenario[] {
  const distrusted = (
    name: string,
    sentence: string,
    reason: Distrust['reason'],
    which: 'those so far' | 'all',
  ): Scenario => ({
    name,
    sentence,
    apply: () => {
      service.distrust(reason, which)
    },
  })
  return [
    distrusted(
      'expired-certificate',
      'The certificates issued so far are reported certificate_expired, and OpenVPN refuses them in TLS; tokens stay valid, and a new key pair works.',
      'certificate_expired',
      'those so far',
    ),
    distrusted(
      'revoked-certificate',
      'The certificates issued so far are reported certificate_missing, and OpenVPN refuses them in client-connect (AUTH_FAILED); a new key pair works.',
      'certificate_missing',
      'those so far',
    ),
    distrusted(
      'not-yet-valid-certificate',
      'Every certificate, including a new one, is reported certificate_not_yet_valid and refused by OpenVPN: a client must not loop.',
      'certificate_not_yet_valid',
      'all',
    ),
    distrusted(
      'user-disabled',
      "Every certificate is reported user_disabled, as old portals did, and refused in client-connect (AUTH_FAILED): a new key pair doesn't help.",
      'user_disabled',
      'all',
    ),
    distrusted(
      'certificate-disabled',
      'Every certificate is reported certificate_disabled, as old portals did, and refused in client-connect (AUTH_FAILED).',
      'certificate_disabled',
      'all',
    ),
    {
      name: 'certificate-that-soon-ends',
      sentence: `Sessions end in ${hours} hours, and so do certificates issued from now on: clients should offer to renew.`,
      apply: () => {
        service.tokens.endSessions(hours * 60 * 60, { later: true })
      },
    },
    {
      name: 'key-does-not-fit',
      sentence: "create_keypair returns a private key that doesn't match its certificate.",
      apply: () => {
        service.situation = { mixesKeyPairs: true }
      },
    },
    {
      name: 'no-new-certificates',
      sentence: 'create_keypair answers 500; everything else works.',
      apply: () => {
        faults.add({
          match: { path: '/api/vpn/create_keypair' },
          fault: { status: 500, body: { error: 'unable to create a key pair' } },
        })
      },
    },
    {
      name: 'wrong-clock-ahead',
      sentence: `The clock of the mock is ${days} days ahead: access tokens have expired, and new certificates are not yet valid.`,
      apply: () => {
        clock.advance(days * daySeconds)
      },
    },
    {
      name: 'wrong-clock-behind',
      sentence: `The clock of the mock is ${days} days behind: the certificates issued so far are not yet valid.`,
      apply: () => {
        clock.advance(-days * daySeconds)
      },
    },
  ]
}
