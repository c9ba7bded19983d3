import { openVpnTimedOut } from './openvpn/timed-out'
import type { ConnectingPhase, GrantedTunnel, TunnelFailure } from './tunnel'
import { wireGuardTimedOut } from './wireguard/timed-out'

const byProtocol: Readonly<
  Record<GrantedTunnel['protocol'], (phase: ConnectingPhase | undefined, seconds: number) => TunnelFailure>
> = { openvpn: openVpnTimedOut, wireguard: wireGuardTimedOut }

/** Returns the error of a tunnel that wasn't up within so many seconds, by the phase it was in, if it had begun. */
export function timedOut(
  { protocol }: Pick<GrantedTunnel, 'protocol'>,
  phase: ConnectingPhase | undefined,
  seconds: number,
): TunnelFailure {
  return byProtocol[protocol](phase, seconds)
}
