import type { ConnectionSlice } from './connection'

/** What a state means at a glance: the colour and shape of the mark. */
export type Tone = 'off' | 'working' | 'on' | 'trouble'

export function toneOf(connection: ConnectionSlice): Tone {
  switch (connection.state) {
    case 'idle':
    case 'disconnected':
      return 'off'
    case 'discovering':
    case 'authorizing':
    case 'preparing':
    case 'connecting':
    case 'reconnecting':
    case 'disconnecting':
      return 'working'
    case 'connected':
      return 'on'
    case 'failed':
      return 'trouble'
  }
}

/** Whether it is on its way to a first tunnel, or was given up there. */
export function isNotYetConnected(connection: {
  readonly state: ConnectionSlice['state']
  readonly notYetConnected?: true | undefined
}): boolean {
  switch (connection.state) {
    case 'discovering':
    case 'authorizing':
    case 'preparing':
    case 'connecting':
      return true
    case 'reconnecting':
    case 'disconnecting':
    case 'disconnected':
      return connection.notYetConnected === true
    case 'idle':
    case 'connected':
    case 'failed':
      return false
  }
}

/** The one word of the state, as its key under `connection.word`. */
export function wordOf(
  connection: ConnectionSlice,
): 'connecting' | 'connected' | 'reconnecting' | 'disconnecting' | 'disconnected' {
  switch (connection.state) {
    case 'discovering':
    case 'authorizing':
    case 'preparing':
    case 'connecting':
      return 'connecting'
    case 'reconnecting':
      return connection.notYetConnected ? 'connecting' : 'reconnecting'
    case 'connected':
    case 'disconnecting':
      return connection.state
    case 'idle':
    case 'disconnected':
    case 'failed':
      return 'disconnected'
  }
}
