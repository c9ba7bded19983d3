import type { ConnectionState } from '../../../contract/connection'
import { isUnderWay } from '../../../contract/connection-summary'

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
 * Returns the key of the state's sentence under `connection.sentence`. `blocks`: the kill switch blocks traffic
 * outside the tunnel.
 */
export function sentenceOf(
  connection: Exclude<ConnectionState, { state: 'connected' }>,
  blocks: boolean,
): Sentence {
  if (blocks && !isUnderWay(connection)) return 'blocked'
  switch (connection.state) {
    case 'connecting':
      return connection.phase === 'contacting' && connection.remote !== undefined
        ? 'contactingRemote'
        : connection.phase
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
