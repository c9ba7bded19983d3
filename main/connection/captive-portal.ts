import { CausewayError, hasCode } from '../errors'
import { isFailure } from '../tunnel/tunnel'

/** Whether a failure is one that a network which wants a sign-in first would cause. */
export function mayBeCaptivePortal(error: unknown): boolean {
  if (isFailure(error, 'retry'))
    return (
      error.reason === 'unreachable' || error.reason === 'name-not-resolved' || error.reason === 'timed-out'
    )
  return hasCode(error, 'http/unreachable', 'http/tls-failed', 'http/timed-out')
}

/** The error for a network that does. */
export function captivePortal(cause: unknown): CausewayError {
  return new CausewayError(
    'network/captive-portal',
    'This network requires you to sign in first. Open a web page in your browser, sign in, then connect again.',
    { cause },
  )
}
