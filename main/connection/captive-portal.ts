import { hasCode } from '../errors'
import { isFailure } from '../tunnel/tunnel'

/** Returns true for failures that a captive portal can cause; the HTTP client itself looks after those of certificates. */
export function mayBeCaptivePortal(error: unknown): boolean {
  if (isFailure(error, 'retry'))
    return (
      error.reason === 'unreachable' || error.reason === 'name-not-resolved' || error.reason === 'timed-out'
    )
  return isFailure(error, 'silent') || hasCode(error, 'http/unreachable', 'http/timed-out')
}
