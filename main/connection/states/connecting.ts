import { type Transitions, stays, to } from '../transitions'
import { phase, prepare, shownPhase, withTunnel } from './shared'

/** The tunnel's program runs, and no server has let it in yet. */
export const connecting: Transitions<'connecting'> = {
  ...withTunnel,
  reconnect: stays('there is no tunnel yet'),
  retry: stays('the attempt runs already'),
  // The credentials are replaced before the next attempt.
  prepare,
  phase: to('connecting', (state, event) =>
    state.phase === shownPhase(event.phase) && event.remote === undefined ? state : phase.next(state, event),
  ),
  restarting: stays('the tunnel goes on to its next server by itself'),
  routes: stays('nothing is said of them before the tunnel is up'),
  passing: stays('not reported before the tunnel is up'),
  handshake: stays('it follows in the details of the tunnel'),
  apps: stays('it follows in the details of the tunnel'),
  ended: stays('its end is handled next'),
}
