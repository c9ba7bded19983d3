import type { ConnectionState } from '../../contract/connection'

/** Returns the times of a state in ISO 8601, for the log and `--json`. */
export function isoTimes(state: ConnectionState): {
  readonly since?: string
  readonly nextAttemptAt?: string
} {
  if (state.state === 'connected') return { since: new Date(state.since).toISOString() }
  if (state.state !== 'reconnecting' || state.nextAttemptAt === undefined) return {}
  return { nextAttemptAt: new Date(state.nextAttemptAt).toISOString() }
}
