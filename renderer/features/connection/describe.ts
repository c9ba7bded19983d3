import { type ConnectionState, toneOf, trafficOf } from '../../../contract/connection'

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
  | 'unknownTraffic'
  | 'reconnecting'
  | 'waitingForNetwork'
  | 'nextAttempt'
  | 'firstWhenNetwork'
  | 'nextFirstAttempt'
  | 'disconnecting'
  | 'endedByTerminal'
  | 'endedByWindow'
  | 'cancelling'
  | 'cancelled'
  | 'cancelledByTerminal'
  | 'cancelledByWindow'
  | 'blocked'

/**
 * The one sentence of the state, as its key under `connection.sentence`. `blocks`: the kill switch lets nothing past the
 * tunnel.
 */
export function sentenceOf(connection: ConnectionState, blocks: boolean): Sentence {
  if (blocks && !isUnderWay(connection)) return 'blocked'
  switch (connection.state) {
    case 'connecting':
      return connection.phase === 'contacting' && connection.remote !== undefined
        ? 'contactingRemote'
        : connection.phase
    case 'connected':
      return trafficOf(connection)
    case 'reconnecting':
      if (connection.notYetConnected)
        return connection.waitingForNetwork ? 'firstWhenNetwork' : 'nextFirstAttempt'
      if (connection.waitingForNetwork) return 'waitingForNetwork'
      return connection.nextAttemptAt === undefined ? 'reconnecting' : 'nextAttempt'
    case 'disconnected':
      return endOf(connection)
    case 'disconnecting':
      return connection.notYetConnected ? 'cancelling' : 'disconnecting'
    case 'idle':
    case 'failed':
    case 'discovering':
    case 'authorizing':
    case 'preparing':
      return connection.state
  }
}

function endOf({
  by,
  notYetConnected,
}: Extract<ConnectionState, { state: 'disconnecting' | 'disconnected' }>): Sentence {
  switch (by?.kind) {
    case undefined:
      return notYetConnected ? 'cancelled' : 'disconnected'
    case 'terminal':
      return notYetConnected ? 'cancelledByTerminal' : 'endedByTerminal'
    case 'window':
      return notYetConnected ? 'cancelledByWindow' : 'endedByWindow'
  }
}

/** True from the moment the user asks for a tunnel until nothing of it is left. */
export function isUnderWay(connection: ConnectionState): boolean {
  const tone = toneOf(connection)
  return tone === 'working' || tone === 'on'
}
