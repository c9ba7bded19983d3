import type { Carried, ConnectionState, DisconnectedBy } from '../../contract/connection'
import { carriedTraffic } from '../../contract/connection-summary'
import { t } from './language'
import { terminalLine } from '../../contract/safe-text'
import { cells, padded } from './screen'

/** A sentence about the connection. `result`: the outcome of the command; `note`: its progress. */
export interface Description {
  readonly kind: 'result' | 'note'
  readonly text: string
}

/** Describes a state for the terminal; undefined if something else reports it. */
export function describeConnection(state: ConnectionState): Description | undefined {
  switch (state.state) {
    case 'discovering':
      return note(t('connection.sentence.discovering', { instance: state.target.instanceId }))
    case 'authorizing':
      return note(t('connection.sentence.authorizing'))
    case 'preparing':
      return note(t('connection.sentence.preparing'))
    case 'connecting':
      return note(describePhase(state))
    case 'connected':
      return { kind: 'result', text: describeConnected(state) }
    case 'reconnecting':
      return note(describeReconnecting(state))
    case 'disconnecting':
      return note(
        state.notYetConnected ? t('terminal.connection.cancelling') : t('terminal.connection.disconnecting'),
      )
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
  if (by === undefined) return t('terminal.connection.disconnected')
  return by.takesOver
    ? t('terminal.connection.tookOver', { who: other(by) })
    : t('terminal.connection.endedBy', { who: other(by) })
}

function describeCancelled(by: DisconnectedBy | undefined): string {
  if (by === undefined) return t('terminal.connection.cancelled')
  return by.takesOver
    ? t('terminal.connection.connectsInstead', { who: other(by) })
    : t('terminal.connection.cancelledBy', { who: other(by) })
}

function other({ kind, pid }: DisconnectedBy): string {
  return kind === 'window'
    ? t('terminal.connection.window', { pid })
    : t('terminal.connection.terminal', { pid })
}

/** Returns the same sentence as the window shows. */
function describePhase({ phase, remote }: Extract<ConnectionState, { state: 'connecting' }>): string {
  switch (phase) {
    case 'starting':
      return t('connection.sentence.starting')
    case 'resolving':
      return t('connection.sentence.resolving')
    case 'contacting':
      return remote === undefined
        ? t('connection.sentence.contacting')
        : t('connection.sentence.contactingRemote', { remote: describeRemote(remote) })
    case 'tls':
      return t('connection.sentence.tls')
    case 'authenticating':
      return t('connection.sentence.authenticating')
    case 'configuring':
      return t('connection.sentence.configuring')
  }
}

function describeReconnecting(state: Extract<ConnectionState, { state: 'reconnecting' }>): string {
  const interrupted = state.notYetConnected
    ? t('terminal.connection.notYet')
    : t('terminal.connection.interrupted')
  const what = `${interrupted} ${t(`connection.reason.${state.reason}`)} ${describeNext(state)}`
  return state.notYetConnected ? what : `${what}\n${t(`connection.meanwhile.${state.routes}`)}`
}

function describeNext(state: Extract<ConnectionState, { state: 'reconnecting' }>): string {
  if (state.waitingForNetwork) return t('terminal.connection.waitingForNetwork')
  if (state.nextAttemptAt === undefined) return t('terminal.connection.reconnecting')
  const time = new Date(state.nextAttemptAt).toLocaleTimeString('en-GB')
  const { attempt } = state
  return state.notYetConnected
    ? t('terminal.connection.nextAttempt', { time })
    : t('terminal.connection.attempt', { attempt, time })
}

function describeConnected(state: Extract<ConnectionState, { state: 'connected' }>): string {
  const { target, addresses, remote, protocol, cipher, dns } = state
  const own = [addresses.ipv4, addresses.ipv6].filter((address) => address !== undefined)
  const rows: [name: string, value: string][] = [
    [t('connection.detail.ipv4'), own.length === 0 ? t('terminal.connection.noAddress') : own.join(', ')],
    [t('connection.detail.remote'), describeRemote(remote)],
  ]
  if (state.allTraffic !== undefined) rows.push([t('connection.traffic.title'), describeTraffic(state)])
  if (dns !== undefined) {
    const servers = dns.servers.join(', ')
    rows.push(['DNS', dns.applied ? servers : t('terminal.connection.dnsNotInUse', { servers })])
  }
  if (protocol === 'wireguard') rows.push([t('connection.detail.protocol'), 'WireGuard'])
  if (cipher !== undefined) rows.push([t('connection.detail.cipher'), cipher])
  const width = Math.max(cells(t('connection.traffic.title')), ...rows.map(([name]) => cells(name)))
  const title = t('terminal.connection.connected', {
    profile: terminalLine(target.profileId),
    instance: target.instanceId,
  })
  return [title, ...rows.map(([name, value]) => `  ${padded(name, width)}  ${value}`)].join('\n')
}

function describeTraffic(carried: Carried & { readonly passing?: false | undefined }): string {
  switch (carriedTraffic(carried, undefined)) {
    case 'nothing':
      return t('terminal.connection.nothing')
    case 'everything':
      return t('terminal.connection.all')
    case 'onlyIpv4':
      return t('terminal.connection.onlyIpv4')
    case 'exceptions':
      return t('terminal.connection.exceptions', { networks: (carried.outside ?? []).join(', ') })
    case 'unknown':
    case 'checking':
      return t('terminal.connection.unknown')
    case 'networks':
    case 'lessThanPromised':
      return t('terminal.connection.networks')
  }
}

function describeRemote(remote: { address: string; port: number; protocol: 'udp' | 'tcp' }): string {
  const { address, port, protocol } = remote
  return t('terminal.connection.remote', { address, port, protocol: protocol.toUpperCase() })
}

function note(text: string): Description {
  return { kind: 'note', text }
}
