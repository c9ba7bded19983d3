import { isDeepStrictEqual } from 'node:util'
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
        remote: event.remote,
      }
    case 'connected':
      return { state: 'connected', target, ...event.details, since: now }
    case 'handshake':
      return state.state === 'connected' ? { ...state, handshakeAt: event.at } : state
    case 'restarting':
      return state.state === 'connected' || state.state === 'reconnecting'
        ? {
            state: 'reconnecting',
            target,
            reason: event.reason,
            attempt: attemptAfter(state),
            routes: event.routes,
          }
        : state
    case 'routes':
      if (state.state === 'reconnecting') return unlessSame(state, { ...state, routes: event.routes })
      return state.state === 'connected'
        ? unlessSame(state, {
            state: 'connected',
            target,
            ...event.details,
            ...(state.passing === false && { passing: false }),
            since: state.since,
          })
        : state
    case 'passing': {
      if (state.state !== 'connected') return state
      const { passing: _before, ...connected } = state
      return event.passing ? connected : { ...connected, passing: false }
    }
    case 'refused':
    case 'stuck':
    case 'log':
      return state
  }
}

function unlessSame(state: ConnectionState, next: ConnectionState): ConnectionState {
  return isDeepStrictEqual(state, next) ? state : next
}
