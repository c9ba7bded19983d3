import type { ConnectionState } from '../../contract/connection'

/** Returns the times of a state in ISO 8601, for the log and `--json`. */
export function isoTimes(state: ConnectionState): {
  readonly since?: string
  readonly handshakeAt?: string
  readonly nextAttemptAt?: string
} {
  if (state.state === 'connected') {
    const { since, handshakeAt } = state
    return {
      since: new Date(since).toISOString(),
      ...(handshakeAt === undefined ? {} : { handshakeAt: new Date(handshakeAt).toISOString() }),
    }
  }
  if (state.state !== 'reconnecting' || state.nextAttemptAt === undefined) return {}
  return { nextAttemptAt: new Date(state.nextAttemptAt).toISOString() }
}
