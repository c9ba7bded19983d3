import type { ConnectionState, ConnectionTarget } from '../../contract/connection'
import type { TunnelEvent, TunnelPhase } from '../tunnel/tunnel'

/** Returns the number of the attempt after this state. */
export function attemptAfter(state: ConnectionState): number {
  return state.state === 'reconnecting' ? state.attempt + 1 : 1
}

/** Maps a phase to its name in `--json` and the window. */
const shownPhase = (phase: TunnelPhase) => (phase === 'verifying' ? 'tls' : phase)

/**
 * Returns the state after a tunnel event, or `state` itself if nothing changes. `now` is in milliseconds since the epoch.
 */
export function stateAfterTunnelEvent(
  state: ConnectionState,
  target: ConnectionTarget,
  event: TunnelEvent,
  now: number,
): ConnectionState {
  switch (event.event) {
    case 'phase':
      // Once connected, a tunnel walks through its phases again only to reconnect.
      if (state.state === 'reconnecting') return state
      if (
        state.state === 'connecting' &&
        state.phase === shownPhase(event.phase) &&
        event.remote === undefined
      )
        return state
      return {
        state: 'connecting',
        target,
        phase: shownPhase(event.phase),
        ...(event.remote === undefined ? {} : { remote: event.remote }),
      }
    case 'connected':
      return {
        state: 'connected',
        target,
        addresses: event.details.addresses,
        remote: event.details.remote,
        ...(event.details.cipher === undefined ? {} : { cipher: event.details.cipher }),
        ...(event.details.allTraffic === undefined ? {} : { allTraffic: event.details.allTraffic }),
        ...(event.details.allIpv4 === undefined ? {} : { allIpv4: event.details.allIpv4 }),
        ...(event.details.routes === undefined ? {} : { routes: event.details.routes }),
        ...(event.details.dns === undefined ? {} : { dns: event.details.dns }),
        ...(event.details.device === undefined ? {} : { device: event.details.device }),
        since: now,
      }
    case 'restarting':
      return state.state === 'connected' || state.state === 'reconnecting'
        ? {
            state: 'reconnecting',
            target,
            reason: event.reason,
            attempt: attemptAfter(state),
          }
        : state
    case 'refused':
    case 'log':
      return state
  }
}
