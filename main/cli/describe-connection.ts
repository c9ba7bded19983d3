import type { ConnectionState, DisconnectedBy } from '../../contract/connection'
import connection from '../../contract/locales/en/connection.json'
import { printableLine } from './output'

/** A sentence about the connection. `result`: the outcome of the command; `note`: its progress. */
export interface Description {
  readonly kind: 'result' | 'note'
  readonly text: string
}

/** Describes a state for the terminal; undefined if something else reports it. */
export function describeConnection(state: ConnectionState): Description | undefined {
  switch (state.state) {
    case 'discovering':
      return note(`Looking up ${state.target.instanceId}…`)
    case 'authorizing':
      return note(connection.sentence.authorizing)
    case 'preparing':
      return note(connection.sentence.preparing)
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
    ? `Disconnected: ${other(by)} took over the connection.`
    : `Disconnected: ${other(by)} ended the connection.`
}

function describeCancelled(by: DisconnectedBy | undefined): string {
  if (by === undefined) return 'Cancelled: nothing was connected.'
  return by.takesOver
    ? `Cancelled: ${other(by)} is connecting instead.`
    : `Cancelled by ${other(by)}: nothing was connected.`
}

function other({ kind, pid }: DisconnectedBy): string {
  return `${kind === 'window' ? "Causeway's window" : 'another terminal command'} (process ${pid})`
}

/** Returns the same sentence as the window shows. */
function describePhase({ phase, remote }: Extract<ConnectionState, { state: 'connecting' }>): string {
  switch (phase) {
    case 'starting':
      return connection.sentence.starting
    case 'resolving':
      return connection.sentence.resolving
    case 'contacting':
      return remote === undefined
        ? connection.sentence.contacting
        : connection.sentence.contactingRemote.replace('{{remote}}', describeRemote(remote))
    case 'tls':
      return connection.sentence.tls
    case 'authenticating':
      return connection.sentence.authenticating
    case 'configuring':
      return connection.sentence.configuring
  }
}

function describeReconnecting(state: Extract<ConnectionState, { state: 'reconnecting' }>): string {
  const interrupted = state.notYetConnected ? 'Not connected yet.' : 'The connection was interrupted.'
  const what = `${interrupted} ${connection.reason[state.reason]}`
  if (state.waitingForNetwork) return `${what} Waiting for the network…`
  if (state.nextAttemptAt === undefined) return `${what} Reconnecting…`
  const time = new Date(state.nextAttemptAt).toLocaleTimeString('en-GB')
  const attempt = state.notYetConnected ? 'The next attempt' : `Attempt ${state.attempt} to reconnect`
  return `${what} ${attempt} is at ${time}.`
}

function describeConnected(state: Extract<ConnectionState, { state: 'connected' }>): string {
  const { target, addresses, remote, cipher, allTraffic, allIpv4, dns } = state
  const own = [addresses.ipv4, addresses.ipv6].filter((address) => address !== undefined)
  return [
    `Connected to ${printableLine(target.profileId)} at ${target.instanceId}.`,
    `  Address  ${own.length === 0 ? 'none given' : own.join(', ')}`,
    `  Server   ${describeRemote(remote)}`,
    ...(allTraffic === undefined
      ? []
      : [
          `  Traffic  ${allTraffic ? 'all' : allIpv4 === true ? 'all IPv4, but not all IPv6' : "only to this profile's networks"}`,
        ]),
    ...(dns === undefined
      ? []
      : [`  DNS      ${dns.servers.join(', ')}${dns.applied ? '' : " (not in use: they couldn't be set)"}`]),
    ...(cipher === undefined ? [] : [`  Cipher   ${cipher}`]),
  ].join('\n')
}

function describeRemote(remote: { address: string; port: number; protocol: 'udp' | 'tcp' }): string {
  return `${remote.address} port ${remote.port} over ${remote.protocol.toUpperCase()}`
}

function note(text: string): Description {
  return { kind: 'note', text }
}
