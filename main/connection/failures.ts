import type { ConnectionState, ReconnectReason } from '../../contract/connection'
import type { ErrorCode } from '../../contract/error-codes'
import { CausewayError, hasCode } from '../errors'
import { requestCancelled } from '../platform/http/failure'
import { mayBeOfSignInPage } from '../tunnel/after-up'
import { timedOut } from '../tunnel/timed-out'
import { type GrantedTunnel, isFailure } from '../tunnel/tunnel'

/** Temporary errors of requests. */
const retried: readonly (readonly [ErrorCode, ReconnectReason])[] = [
  ['http/unreachable', 'unreachable'],
  ['http/timed-out', 'timed-out'],
  ['http/proxy-timed-out', 'timed-out'],
  ['service/busy', 'service-busy'],
  ['vpn-api/server-error', 'service-error'],
  ['oauth/server-error', 'service-error'],
  ['discovery/server-error', 'service-error'],
]

/** Returns the reason to retry after a temporary error; undefined for errors that are final or need the user. */
export function retryReason(error: unknown): ReconnectReason | undefined {
  return isFailure(error, 'retry') || isFailure(error, 'silent')
    ? error.reason
    : retried.find(([code]) => hasCode(error, code))?.[1]
}

/** Returns the error for a tunnel that was not up within the time limit; `http/cancelled` if it had not begun. */
export function tunnelTimedOut(
  state: ConnectionState,
  tunnel: Pick<GrantedTunnel, 'protocol'>,
  seconds: number,
): CausewayError {
  // The service took all the time.
  if (state.state === 'preparing') return requestCancelled()
  return timedOut(tunnel, state.state === 'connecting' ? state.phase : undefined, seconds)
}

const ofCaptivePortals: readonly ErrorCode[] = ['http/unreachable', 'http/timed-out', 'http/private-address']

/** Returns true for failures that a captive portal can cause; the HTTP client itself looks after those of certificates. */
export function mayBeCaptivePortal(error: unknown): boolean {
  if (isFailure(error, 'retry'))
    return (
      error.reason === 'unreachable' || error.reason === 'name-not-resolved' || error.reason === 'timed-out'
    )
  return isFailure(error, 'silent') || mayBeOfSignInPage(error) || hasCode(error, ...ofCaptivePortals)
}

/** Returns the error for a tunnel that can't reconnect because its login has expired, or was ended by the service before that. */
export function sessionOver(
  instanceId: string,
  { isRevoked = false, cause }: { readonly isRevoked?: boolean; readonly cause?: unknown } = {},
): CausewayError {
  return new CausewayError('session/over', {
    variant: isRevoked ? 'revoked' : undefined,
    details: { instance: instanceId },
    cause,
  })
}

/** Returns the error for credentials that a service seems to have dropped before their time. */
export function endedByService(instanceId: string): CausewayError {
  return new CausewayError('connection/ended-by-service', { details: { instance: instanceId } })
}
