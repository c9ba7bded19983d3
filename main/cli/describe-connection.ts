import { type AppsSplit, moveFailures } from '../../contract/apps'
import type { ConnectionState } from '../../contract/connection'
import {
  type ConnectionDescription,
  describeConnection as describe,
  remoteText,
} from '../../contract/describe-connection'
import { terminalLine } from '../../contract/safe-text'
import type { Instance } from '../portal/instance/instance'
import { language, t } from './language'
import { cells, padded } from './screen'

/** A text about the connection. `result`: the outcome of the command; `note`: its progress. */
export interface Description {
  readonly kind: 'result' | 'note'
  readonly text: string
}

/** A service, with the person's own name for it. */
export type NamedService = Pick<Instance, 'id' | 'name'>

/** Returns the person's name for a service, with the id that commands take; the id alone if it has no name. */
export function serviceText(instanceId: string, services: readonly NamedService[]): string {
  const name = services.find(({ id }) => id === instanceId)?.name
  return name === undefined ? instanceId : `${terminalLine(name)} (${instanceId})`
}

/** Describes a state for the terminal; undefined if something else reports it. */
export function describeConnection(
  state: ConnectionState,
  services: readonly NamedService[] = [],
): Description | undefined {
  if (state.state === 'idle' || state.state === 'failed') return undefined
  if (state.state === 'connected') return { kind: 'result', text: describeConnected(state, services) }
  const service = serviceText(state.target.instanceId, services)
  return {
    kind: state.state === 'disconnected' ? 'result' : 'note',
    text: [
      // Its sentence alone would not say what has become of the connection, or where to go on.
      ...(state.state === 'disconnected' && state.by === undefined && !state.notYetConnected
        ? [`${t('connection.word.disconnected')}.`]
        : []),
      ...(state.state === 'authorizing' ? [`${t('connection.word.browser')}.`] : []),
      sentences(describe(state, { locale: language(), service })),
    ].join(' '),
  }
}

/** Returns the sentences of a description in the terminal's language. */
export function sentences({ sentences, values }: ConnectionDescription): string {
  return sentences.map((key) => t(key, values)).join(' ')
}

/** Returns the sentences about a tunnel that is up, without the one that says so. */
export function sentencesOf({ sentences, values }: ConnectionDescription): string[] {
  return sentences.filter((key) => key !== 'connection.sentence.connected').map((key) => t(key, values))
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
  apps,
}: Extract<ConnectionState, { state: 'connected' }>): string[] {
  const own = [addresses.ipv4, addresses.ipv6].filter((address) => address !== undefined)
  const rows: [name: string, value: string][] = [
    [t('connection.detail.ipv4'), own.length === 0 ? t('terminal.connection.noAddress') : own.join(', ')],
    [t('connection.detail.remote'), remoteText(remote)],
  ]
  const past = [...outside, ...local]
  if (past.length > 0) rows.push([t('connection.detail.outside'), past.join(', ')])
  if (apps !== undefined && apps.outside.length + apps.inside.length > 0) {
    const name = t(apps.mode === 'except' ? 'connection.detail.appsOutside' : 'connection.detail.appsInside')
    rows.push([name, [...apps.outside, ...apps.inside].map(terminalLine).join(', ')])
  }
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
  return [
    ...rows.map(([name, value]) => `  ${padded(name, width)}  ${value}`),
    ...notMoved(apps).map((line) => `  ${line}`),
  ]
}

/** Returns sentences that name the apps that couldn't be moved to their side, and why. */
export function notMoved(apps: AppsSplit | undefined): string[] {
  return moveFailures.flatMap((why) => {
    const those = (apps?.failed ?? []).filter((each) => each.why === why).map(({ app }) => terminalLine(app))
    return those.length === 0 ? [] : [t(`settings.apps.notMoved.${why}`, { apps: those.join(', ') })]
  })
}

function describeConnected(
  state: Extract<ConnectionState, { state: 'connected' }>,
  services: readonly NamedService[],
): string {
  const { target, allTraffic, passing, routes, routesUnknown, apps } = state
  const description = describe(state, {
    locale: language(),
    profile: `${terminalLine(target.profileId)} · ${serviceText(target.instanceId, services)}`,
  })
  return [
    passing === false
      ? `${t('connection.word.nothing')}.`
      : t('connection.sentence.connected', description.values),
    // A handshake-only connection has no routes to tell of.
    ...(allTraffic === undefined && passing !== false ? [] : sentencesOf(description)),
    ...(passing === false
      ? [t('terminal.connection.nothing')]
      : allTraffic === false && apps?.mode !== 'only' && (routes?.length === 0 || routesUnknown === true)
        ? [t('terminal.connection.routes')]
        : []),
    ...tunnelTable(state),
  ].join('\n')
}
