import type { ReconnectReason } from '../../../contract/connection'
import { CausewayError } from '../../errors'
import { type FailureClass, TunnelFailure } from '../tunnel'

/** Why a tunnel failed, as far as OpenVPN's log tells; each becomes the error code of the same name. */
export type FailureKind =
  | 'certificate-rejected'
  | 'authentication-failed'
  | 'server-not-verified'
  | 'unreachable'
  | 'name-not-resolved'
  | 'halted-by-server'
  | 'configuration-refused'
  | 'not-permitted'
  | 'stopped-unexpectedly'

const sentences: Readonly<Record<FailureKind, string>> = {
  'certificate-rejected':
    'The VPN server ended the handshake after it saw your certificate, so it very likely does not accept it. Renew the certificate, then connect again.',
  'authentication-failed':
    'The VPN server knows your certificate but refused the connection. Ask the administrator of this instance whether you may use this profile.',
  'server-not-verified':
    'The VPN server could not prove that it is the one of this profile. Do not use this network for anything secret, and tell the administrator of this instance.',
  unreachable:
    'None of the VPN servers of this profile answered. Check the network, or try another one: some networks block VPN connections.',
  'name-not-resolved':
    'The name of the VPN server could not be looked up. Check that this computer is connected to the internet.',
  'halted-by-server':
    'The VPN server ended the connection. Wait a while, or ask the administrator of this instance.',
  'configuration-refused':
    'OpenVPN does not accept the configuration of this profile. Ask the administrator of this instance to correct the profile.',
  'not-permitted':
    'OpenVPN may not set up a network device here. Run with the right to do so, or use --check for a handshake only.',
  'stopped-unexpectedly':
    'OpenVPN stopped without being asked to. Connect again; if it happens again, look into the log.',
}

/** What is not listed is for a person to decide. */
const classes: Readonly<
  Partial<Record<FailureKind, { readonly failureClass: FailureClass; readonly reason: ReconnectReason }>>
> = {
  unreachable: { failureClass: 'retry', reason: 'unreachable' },
  'name-not-resolved': { failureClass: 'retry', reason: 'name-not-resolved' },
  'stopped-unexpectedly': { failureClass: 'retry', reason: 'stopped-unexpectedly' },
  'authentication-failed': { failureClass: 'refused', reason: 'authentication-failed' },
  'certificate-rejected': { failureClass: 'credentials', reason: 'tls-error' },
  'server-not-verified': { failureClass: 'unverified', reason: 'tls-error' },
}

const maxReasonLength = 200

/** @param reason what OpenVPN said, which a server may have worded: only shown, and shortened */
export function tunnelFailure(
  kind: FailureKind,
  details: { readonly reason?: string; readonly exitCode?: number; readonly signal?: string } = {},
): CausewayError {
  const reason = printable(details.reason ?? '', maxReasonLength)
  const { exitCode, signal } = details
  const shown = {
    ...(reason !== '' && { reason }),
    ...(exitCode !== undefined && { exitCode }),
    ...(signal !== undefined && { signal }),
  }
  const classed = classes[kind]
  return classed === undefined
    ? new CausewayError(`openvpn/${kind}`, sentences[kind], { details: shown })
    : new TunnelFailure(classed, `openvpn/${kind}`, sentences[kind], shown)
}

/** A stranger's text on one line, with a limit. */
export function printable(text: string, maxLength: number): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '?')
    .trim()
    .slice(0, maxLength)
}
