import type { ReconnectReason } from '../../contract/connection'
import type { ErrorCode } from '../../contract/error-codes'
import { CausewayError, hasCode } from '../errors'
import { mayStillBeUp } from './tunnel'

type Area =
  | 'certificate'
  | 'helper'
  | 'http'
  | 'internal'
  | 'openvpn'
  | 'profile-configuration'
  | 'proxyguard'
  | 'wireguard'
type TunnelErrorCode = Extract<ErrorCode, `${Area}/${string}`>

/**
 * For each error that a tunnel can end with: why it is tried again once the tunnel was up, or `final`. Before that, nearly all of
 * them end a connection. After it, whatever another network, a sign-in page or a program that is being updated can cause is
 * temporary: ending the connection would leave somebody without a VPN who has done nothing. Answers of the portal have a
 * rule of their own, which asks the same (`endsAccess` in portal/portal.ts).
 */
export const afterUp = {
  // A defect, which each attempt would repeat.
  'internal/unexpected': 'final',

  // A sign-in page, or a proxy of the network, answers in place of the server.
  'http/unreachable': 'unreachable',
  'http/timed-out': 'timed-out',
  'http/proxy-timed-out': 'timed-out',
  'http/tls-failed': 'tls-error',
  'http/tls-too-old': 'tls-error',
  'http/too-large': 'service-error',
  // A network may answer names with addresses of its own.
  'http/private-address': 'unreachable',
  // Another attempt with a wrong password may lock the account.
  'http/proxy-authentication': 'final',
  'http/insecure-url': 'final',
  'http/cancelled': 'final',

  'certificate/none': 'final',
  'certificate/invalid': 'final',
  'certificate/clock-mismatch': 'final',
  'certificate/refused': 'final',
  'certificate/not-managed': 'final',

  // The same text is refused again.
  'profile-configuration/malformed': 'final',
  'profile-configuration/forbidden-directive': 'final',
  'profile-configuration/incomplete': 'final',
  'profile-configuration/no-tcp-remote': 'final',
  // But for a server's name that leads nowhere, as a network may answer it: see below.
  'profile-configuration/invalid-argument': 'final',

  // Missing while it is being updated.
  'openvpn/not-found': 'stopped-unexpectedly',
  'openvpn/too-old': 'final',
  'openvpn/not-permitted': 'final',
  // Classes of their own: the portal is asked first (`Supervisor`).
  'openvpn/certificate-rejected': 'final',
  'openvpn/authentication-failed': 'final',
  'openvpn/server-not-verified': 'tls-error',
  'openvpn/unreachable': 'unreachable',
  'openvpn/name-not-resolved': 'name-not-resolved',
  'openvpn/timed-out': 'timed-out',
  'openvpn/not-started': 'timed-out',
  'openvpn/stopped-unexpectedly': 'stopped-unexpectedly',
  // The server, which has proved its identity, says so.
  'openvpn/halted-by-server': 'final',
  'openvpn/configuration-refused': 'final',
  'openvpn/option-refused': 'final',
  'openvpn/no-shared-cipher': 'final',
  'openvpn/weak-certificate': 'final',
  'openvpn/device-unavailable': 'final',
  // Another network may leave room for it.
  'openvpn/route-not-set': 'other',

  'wireguard/no-answer': 'no-answer',
  'wireguard/blocked': 'no-answer',
  'wireguard/name-not-resolved': 'name-not-resolved',
  'wireguard/unreachable': 'network-unreachable',
  'wireguard/not-started': 'timed-out',
  'wireguard/stopped-unexpectedly': 'stopped-unexpectedly',
  'wireguard/device-unavailable': 'final',
  // The firewall of this computer is being changed, or the network has a filter of its own.
  'wireguard/answers-dropped': 'other',
  'wireguard/not-available': 'final',
  'wireguard/not-checked': 'final',

  // A sign-in page with a certificate or an answer of its own, or a proxy that is being reloaded.
  'proxyguard/refused': 'service-error',
  'proxyguard/untrusted': 'tls-error',
  'proxyguard/unreachable': 'unreachable',

  // The system refused something, or Causeway is being replaced.
  'helper/failed': 'stopped-unexpectedly',
  'helper/kill-switch-failed': 'stopped-unexpectedly',
  'helper/service-missing': 'stopped-unexpectedly',
  // Somebody has to do something, or has said no.
  'helper/not-installed': 'final',
  'helper/dismissed': 'final',
  'helper/not-authorized': 'final',
  'helper/refused': 'final',
  // Another user's tunnel has the network now: taking it back would only start a contest.
  'helper/other-tunnel': 'final',
  'helper/too-many-tunnels': 'final',
  'helper/needed-for-kill-switch': 'final',
  'helper/service-refused': 'final',
  'helper/windows-helper-unusable': 'final',
  'helper/kill-switch-not-offered': 'final',
} as const satisfies Partial<Record<TunnelErrorCode, ReconnectReason | 'final'>>

/** Returns the reason to try again after an error of a tunnel that was up before; undefined for one that is final. */
export function reasonAfterUp(error: unknown): ReconnectReason | undefined {
  // A second tunnel beside it would be worse than none.
  if (!(error instanceof CausewayError) || mayStillBeUp(error)) return undefined
  if (error.code === 'profile-configuration/invalid-argument' && error.variant === 'resolved')
    return 'name-not-resolved'
  // Root has ended all tunnels, such as to remove the helper.
  if (error.code === 'helper/failed' && error.details?.reason === 'stopped') return undefined
  const found = (afterUp as Partial<Record<ErrorCode, ReconnectReason | 'final'>>)[error.code]
  return found === 'final' ? undefined : found
}

/** Returns true for an answer that the sign-in page of a network may have given in place of a tunnel's server. */
export function mayBeOfSignInPage(error: unknown): boolean {
  return hasCode(error, 'proxyguard/refused', 'proxyguard/untrusted')
}
