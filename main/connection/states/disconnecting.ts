import { type Transitions, stays, to } from '../transitions'
import { failed, switchTo } from './shared'

const late = stays('it belongs to the attempt that is being ended')

/** Tunnel and requests are being ended. */
export const disconnecting: Transitions<'disconnecting'> = {
  // The new connection begins when nothing is left of this one.
  connect: to('disconnecting', switchTo),
  disconnect: to('disconnecting', ({ switching: _given, again: _up, ...state }) => state),
  reconnect: stays('it is being ended'),
  retry: stays('it is being ended'),
  // After a switch, the new connection begins next.
  stopped: to(['disconnecting', 'disconnected'], (state) => {
    if (state.switching) return state
    const { from: _gone, ...rest } = state
    return { ...rest, state: 'disconnected' }
  }),
  begin: to('discovering', ({ again }, { target }) => ({
    state: 'discovering',
    target,
    switching: true,
    ...(again && { again }),
  })),
  // The program of the tunnel could not be ended.
  failed,
  discover: late,
  login: late,
  prepare: late,
  phase: late,
  connected: late,
  restarting: late,
  routes: late,
  passing: late,
  handshake: late,
  apps: late,
  ended: late,
  network: late,
  wait: late,
  attempt: late,
}
