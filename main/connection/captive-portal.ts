import { CausewayError, hasCode } from '../errors'
import { isFailure } from '../tunnel/tunnel'

/** Returns true for failures that a captive portal can cause. */
export function mayBeCaptivePortal(error: unknown): boolean {
  if (isFailure(error, 'retry'))
    return (
      error.reason === 'unreachable' || error.reason === 'name-not-resolved' || error.reason === 'timed-out'
    )
  return hasCode(error, 'http/unreachable', 'http/tls-failed', 'http/timed-out')
}

/** Returns the error for a network with a captive portal. */
export function captivePortal(cause: unknown): CausewayError {
  return new CausewayError('network/captive-portal', { cause })
}
