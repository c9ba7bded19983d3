import { type ConnectingPhase, TunnelFailure } from '../tunnel'

/** Returns the error of a tunnel that wasn't up within so many seconds, by what it was waiting for. */
export function openVpnTimedOut(phase: ConnectingPhase | undefined, seconds: number): TunnelFailure {
  const details = { seconds, phase }
  if (phase === 'resolving')
    return new TunnelFailure(
      { failureClass: 'retry', reason: 'name-not-resolved' },
      'openvpn/name-not-resolved',
      details,
    )
  return new TunnelFailure(
    { failureClass: 'retry', reason: 'timed-out' },
    phase === 'starting' ? 'openvpn/not-started' : 'openvpn/timed-out',
    details,
  )
}
