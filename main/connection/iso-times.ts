import type { ConnectionState } from '../../contract/connection'

/** The times of a state in ISO 8601, as the log and `--json` give them. */
export function isoTimes(state: ConnectionState): {
  readonly since?: string
  readonly nextAttemptAt?: string
} {
  if (state.state === 'connected') return { since: new Date(state.since).toISOString() }
  if (state.state !== 'reconnecting' || state.nextAttemptAt === undefined) return {}
  return { nextAttemptAt: new Date(state.nextAttemptAt).toISOString() }
}
