import { type Transitions, stays, to } from '../transitions'
import { failed } from './shared'

const late = stays('it belongs to the attempt that is being ended')

/** Tunnel and requests are being ended. */
export const disconnecting: Transitions<'disconnecting'> = {
  connect: stays('the new connection begins when nothing is left of this one'),
  disconnect: stays('it is being ended'),
  reconnect: stays('it is being ended'),
  retry: stays('it is being ended'),
  stopped: to('disconnected', (state) => ({ ...state, state: 'disconnected' })),
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
  ended: late,
  'move-to-tcp': late,
  network: late,
  wait: late,
  attempt: late,
}
