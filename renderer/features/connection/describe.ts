import { toneOf } from '../../../preload/connection-at-a-glance'
import type { ConnectionSlice } from '../../../preload/contract'

type Sentence =
  | 'idle'
  | 'disconnected'
  | 'failed'
  | 'discovering'
  | 'authorizing'
  | 'preparing'
  | 'starting'
  | 'resolving'
  | 'contacting'
  | 'contactingRemote'
  | 'tls'
  | 'authenticating'
  | 'configuring'
  | 'allTraffic'
  | 'someTraffic'
  | 'reconnecting'
  | 'waitingForNetwork'
  | 'nextAttempt'
  | 'firstWhenNetwork'
  | 'nextFirstAttempt'
  | 'disconnecting'
  | 'endedByTerminal'
  | 'endedByWindow'
  | 'blocked'

/**
 * The one sentence of the state, as its key under `connection.sentence`. `blocks`: the kill switch lets nothing past the
 * tunnel.
 */
export function sentenceOf(connection: ConnectionSlice, blocks: boolean): Sentence {
  if (blocks && !isUnderWay(connection)) return 'blocked'
  switch (connection.state) {
    case 'connecting':
      return connection.phase === 'contacting' && connection.remote !== undefined
        ? 'contactingRemote'
        : connection.phase
    case 'connected':
      return connection.allTraffic === true ? 'allTraffic' : 'someTraffic'
    case 'reconnecting':
      if (connection.notYetConnected)
        return connection.waitingForNetwork ? 'firstWhenNetwork' : 'nextFirstAttempt'
      if (connection.waitingForNetwork) return 'waitingForNetwork'
      return connection.nextAttemptAt === undefined ? 'reconnecting' : 'nextAttempt'
    case 'disconnected':
      if (connection.by === undefined) return 'disconnected'
      return connection.by.kind === 'terminal' ? 'endedByTerminal' : 'endedByWindow'
    case 'idle':
    case 'failed':
    case 'discovering':
    case 'authorizing':
    case 'preparing':
    case 'disconnecting':
      return connection.state
  }
}

/** True from the moment the user asks for a tunnel until nothing of it is left. */
export function isUnderWay(connection: ConnectionSlice): boolean {
  const tone = toneOf(connection)
  return tone === 'working' || tone === 'on'
}
