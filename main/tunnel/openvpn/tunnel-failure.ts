import type { ReconnectReason } from '../../../contract/connection'
import { printable } from '../../../contract/safe-text'
import { CausewayError, type ErrorArguments } from '../../errors'
import type { HelperCause } from '../../privilege/helper-messages'
import { type FailureClass, TunnelFailure } from '../tunnel'
import type { FailureKind, FailureVariant } from './log-failures'

/** All other failures need a decision of the user. */
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

/** @param reason OpenVPN's message, possibly a server's text: only shown, and shortened */
export function tunnelFailure(
  kind: FailureKind,
  details: HelperCause & {
    readonly reason?: string
    readonly exitCode?: number
    readonly signal?: string
  } = {},
  variant?: FailureVariant,
): CausewayError {
  const reason = printable(details.reason ?? '')
  const { exitCode, signal, step, cause } = details
  const shown = {
    ...(reason !== '' && { reason }),
    exitCode,
    signal,
    step,
    cause,
  }
  const classed = classes[kind]
  return classed === undefined
    ? new CausewayError(...([`openvpn/${kind}`, { variant, details: shown }] as ErrorArguments))
    : new TunnelFailure(classed, `openvpn/${kind}`, shown)
}
