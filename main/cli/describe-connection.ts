import type { ConnectionState } from '../../contract/connection'
import {
  type ConnectionDescription,
  describeConnection as describe,
  remoteText,
} from '../../contract/describe-connection'
import { terminalLine } from '../../contract/safe-text'
import { language, t } from './language'
import { cells, padded } from './screen'

/** A text about the connection. `result`: the outcome of the command; `note`: its progress. */
export interface Description {
  readonly kind: 'result' | 'note'
  readonly text: string
}

/** Describes a state for the terminal; undefined if something else reports it. */
export function describeConnection(state: ConnectionState): Description | undefined {
  if (state.state === 'idle' || state.state === 'failed') return undefined
  if (state.state === 'connected') return { kind: 'result', text: describeConnected(state) }
  return {
    kind: state.state === 'disconnected' ? 'result' : 'note',
    text: sentences(describe(state, { locale: language() })),
  }
}

/** Returns the sentences of a description in the terminal's language, with what traffic does meanwhile on a line of its own. */
export function sentences({ sentences, values }: ConnectionDescription): string {
  return sentences
    .map((key) => `${key.startsWith('connection.meanwhile.') ? '\n' : ' '}${t(key, values)}`)
    .join('')
    .trim()
}

/** Returns the details of a tunnel as a table, which `connect` and `status` print. */
export function tunnelTable({
  addresses,
  remote,
  protocol,
  cipher,
  dns,
  outside = [],
  local = [],
  dnsOutside,
}: Extract<ConnectionState, { state: 'connected' }>): string[] {
  const own = [addresses.ipv4, addresses.ipv6].filter((address) => address !== undefined)
  const rows: [name: string, value: string][] = [
    [t('connection.detail.ipv4'), own.length === 0 ? t('terminal.connection.noAddress') : own.join(', ')],
    [t('connection.detail.remote'), remoteText(remote)],
  ]
  const past = [...outside, ...local]
  if (past.length > 0) rows.push([t('connection.detail.outside'), past.join(', ')])
  if (dns !== undefined) {
    const notes = [
      ...(dns.allNames ? [t('connection.dns.allNames')] : []),
      ...(dns.applied ? [] : [t(dns.problem ? `connection.dns.${dns.problem}` : 'connection.dns.notInUse')]),
      ...(dnsOutside ? [t('connection.dns.outside', { servers: dnsOutside.join(', ') })] : []),
    ]
    rows.push([t('connection.detail.dns'), [dns.servers.join(', '), ...notes].join(' · ')])
  }
  if (protocol === 'wireguard') rows.push([t('connection.detail.protocol'), 'WireGuard'])
  if (cipher !== undefined) rows.push([t('connection.detail.cipher'), cipher])
  const width = Math.max(...rows.map(([name]) => cells(name)))
  return rows.map(([name, value]) => `  ${padded(name, width)}  ${value}`)
}

function describeConnected(state: Extract<ConnectionState, { state: 'connected' }>): string {
  const { target, allTraffic, passing, routes, routesUnknown } = state
  const { sentences: all, values } = describe(state, {
    locale: language(),
    profile: `${terminalLine(target.profileId)} · ${target.instanceId}`,
  })
  return [
    // A handshake-only connection has no routes to tell of.
    ...(allTraffic === undefined ? all.slice(0, 1) : all).map((key) => t(key, values)),
    ...(passing === false
      ? [t('terminal.connection.nothing')]
      : allTraffic === false && (routes?.length === 0 || routesUnknown === true)
        ? [t('terminal.connection.routes')]
        : []),
    ...tunnelTable(state),
  ].join('\n')
}
