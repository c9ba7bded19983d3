import { type ConnectingPhase, TunnelFailure } from '../tunnel'

/**
 * Returns the error of a tunnel that wasn't up within so many seconds. The helper looks up the server, and says so if it can't:
 * until its first message, it may not have started.
 */
export function wireGuardTimedOut(phase: ConnectingPhase | undefined, seconds: number): TunnelFailure {
  return new TunnelFailure(
    { failureClass: 'retry', reason: 'timed-out' },
    phase === 'contacting' ? 'wireguard/no-answer' : 'wireguard/not-started',
    { seconds, phase },
  )
}
