import type { ConnectionState, DisconnectedBy } from '../../contract/connection'
import connection from '../../contract/locales/en/connection.json'
import { printableLine } from './output'

/** A state of the connection for people. `result`: what the command was for; `note`: how far it is. */
export interface Description {
  readonly kind: 'result' | 'note'
  readonly text: string
}

/** What a person is told of a state; undefined where something else tells it. */
export function describeConnection(state: ConnectionState): Description | undefined {
  switch (state.state) {
    case 'discovering':
      return note(`Looking up ${state.target.instanceId}…`)
    case 'authorizing':
      return note('Waiting for your browser…')
    case 'preparing':
      return note('Getting your certificate and the profile…')
    case 'connecting':
      return note(describePhase(state))
    case 'connected':
      return { kind: 'result', text: describeConnected(state) }
    case 'reconnecting':
      return note(describeReconnecting(state))
    case 'disconnecting':
      return note(state.notYetConnected ? 'Cancelling…' : 'Disconnecting…')
    case 'disconnected':
      return {
        kind: 'result',
        text: state.notYetConnected ? describeCancelled(state.by) : describeDisconnected(state.by),
      }
    case 'idle':
    case 'failed':
      return undefined
  }
}

function describeDisconnected(by: DisconnectedBy | undefined): string {
  if (by === undefined) return 'Disconnected.'
  return by.takesOver
    ? `Disconnected: ${other(by)} has taken the tunnel over.`
    : `Disconnected: ${other(by)} has ended it.`
}

function describeCancelled(by: DisconnectedBy | undefined): string {
  if (by === undefined) return 'Cancelled: nothing was connected.'
  return by.takesOver
    ? `Cancelled: ${other(by)} connects instead.`
    : `Cancelled by ${other(by)}: nothing was connected.`
}

function other({ kind, pid }: DisconnectedBy): string {
  return `${kind === 'window' ? "Causeway's window" : 'another terminal command'} (process ${pid})`
}

/** The same words as in the window. */
function describePhase({ phase, remote }: Extract<ConnectionState, { state: 'connecting' }>): string {
  switch (phase) {
    case 'starting':
      return 'Starting OpenVPN…'
    case 'resolving':
      return 'Looking up the server…'
    case 'contacting':
      return `Talking to ${remote === undefined ? 'the server' : describeRemote(remote)}…`
    case 'tls':
      return 'Checking who the server is…'
    case 'authenticating':
      return 'Showing your certificate to the server…'
    case 'configuring':
      return 'Setting up the tunnel…'
  }
}

function describeReconnecting(state: Extract<ConnectionState, { state: 'reconnecting' }>): string {
  const interrupted = state.notYetConnected
    ? 'There is no connection yet.'
    : 'The connection was interrupted.'
  const what = `${interrupted} ${connection.reason[state.reason]}`
  if (state.waitingForNetwork) return `${what} Waiting for the network…`
  if (state.nextAttemptAt === undefined) return `${what} Reconnecting…`
  const time = new Date(state.nextAttemptAt).toLocaleTimeString('en-GB')
  const attempt = state.notYetConnected ? 'The next attempt' : `Attempt ${state.attempt} to reconnect`
  return `${what} ${attempt} is at ${time}.`
}

function describeConnected(state: Extract<ConnectionState, { state: 'connected' }>): string {
  const { target, addresses, remote, cipher, allTraffic, dns } = state
  const own = [addresses.ipv4, addresses.ipv6].filter((address) => address !== undefined)
  return [
    `Connected to ${printableLine(target.profileId)} at ${target.instanceId}.`,
    `  Address  ${own.length === 0 ? 'none given' : own.join(', ')}`,
    `  Server   ${describeRemote(remote)}`,
    ...(allTraffic === undefined
      ? []
      : [`  Traffic  ${allTraffic ? 'all' : 'only to the networks of this profile'}`]),
    ...(dns === undefined
      ? []
      : [`  Names    ${dns.servers.join(', ')}${dns.applied ? '' : ' (not in use: they could not be set)'}`]),
    ...(cipher === undefined ? [] : [`  Cipher   ${cipher}`]),
  ].join('\n')
}

function describeRemote(remote: { address: string; port: number; protocol: 'udp' | 'tcp' }): string {
  return `${remote.address} port ${remote.port} over ${remote.protocol.toUpperCase()}`
}

function note(text: string): Description {
  return { kind: 'note', text }
}
