import type { ConnectionSlice } from '../../preload/contract'
import type { ConnectionState } from '../connection/state'

/** The state of the connection as the window gets it: dates as milliseconds since the epoch. */
export function connectionSlice(state: ConnectionState): ConnectionSlice {
  return state.state === 'connected' ? { ...state, since: state.since.getTime() } : state
}
