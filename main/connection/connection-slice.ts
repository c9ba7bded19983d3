import type { ConnectionSlice } from '../../contract/connection'
import type { ConnectionState } from './state'

/** The state of the connection as the window gets it: dates as milliseconds since the epoch. */
export function connectionSlice(state: ConnectionState): ConnectionSlice {
  if (state.state === 'connected') return { ...state, since: state.since.getTime() }
  if (state.state !== 'reconnecting') return state
  const { nextAttemptAt, ...rest } = state
  return nextAttemptAt === undefined ? rest : { ...rest, nextAttemptAt: nextAttemptAt.getTime() }
}
