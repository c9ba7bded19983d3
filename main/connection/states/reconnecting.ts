import { type Transitions, stays, to } from '../transitions'
import { phase, restarting, withTunnel } from './shared'

/** A tunnel was lost, or the first one has failed and is tried again. */
export const reconnecting: Transitions<'reconnecting'> = {
  ...withTunnel,
  reconnect: stays('the next attempt begins at once'),
  retry: stays('the next attempt begins at once'),
  discover: to('discovering', ({ target }) => ({ state: 'discovering', target })),
  attempt: to('reconnecting', ({ nextAttemptAt: _at, waitingForNetwork: _waiting, ...attempt }) => attempt),
  // Before the first tunnel, each attempt is shown, also after a wait.
  phase: to(['reconnecting', 'connecting'], (state, event) =>
    event.phase === 'starting' && state.notYetConnected ? phase.next(state, event) : state,
  ),
  restarting,
  routes: to('reconnecting', (state, { routes, details }) => ({
    ...state,
    routes,
    allTraffic: routes === 'kept' ? details.allTraffic : undefined,
  })),
  passing: stays('not reported while the tunnel is restored'),
  handshake: stays('it follows in the details of the tunnel'),
  apps: stays('it follows in the details of the tunnel'),
  ended: to('reconnecting', (state) => ({ ...state, routes: 'gone', allTraffic: undefined })),
}
