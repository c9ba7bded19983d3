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
  'certificate-rejected': 'The server rejected your certificate. Renew the certificate, then connect again.',
  'authentication-failed':
    "The server didn't accept your login. Ask your organization whether you have access to this profile.",
  'server-not-verified':
    "The server's identity couldn't be verified, so Causeway didn't connect. Try another network. If it happens again, report it to the service's administrator.",
  unreachable:
    "None of this profile's servers responded. Check your network. Some networks block VPNs, so try another one.",
  'name-not-resolved': "The VPN server's name couldn't be resolved. Check your network, then try again.",
  'halted-by-server':
    "The server ended the connection. Read the service's messages, then connect again later.",
  'configuration-refused': "OpenVPN doesn't accept this profile. Report this to the service's administrator.",
  'not-permitted':
    "Causeway doesn't have permission to set up a VPN connection on this computer. Run it with that permission, or use --check to test only the handshake.",
  'stopped-unexpectedly': 'OpenVPN stopped unexpectedly. Connect again. If it happens again, check the log.',
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
