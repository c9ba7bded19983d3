import { isIP } from 'node:net'

import { invalidArgument } from './allowed-directives'
import type { Directive } from './configuration-tokenizer'
import type { Remote } from '../tunnel'

/** A remote with the address family of its protocol. */
export interface ConfiguredRemote extends Remote {
  readonly family: '' | '4' | '6'
  /** The lines of its `<connection>` block behind `remote`; missing outside a block. */
  readonly options?: readonly string[]
}

const defaultPort = '1194'
const defaultProtocol = 'udp'
export const maxRemotes = 64

/**
 * Returns the remotes of a profile with the same default port and protocol as OpenVPN: a `remote` without its own uses
 * those of `port`, `rport` and `proto`, anywhere in the configuration; the last one counts. Removes duplicates.
 *
 * @param directives with checked arguments
 * @throws CausewayError `profile-configuration/invalid-argument`
 */
export function readRemotes(directives: readonly Directive[]): ConfiguredRemote[] {
  const last = (...names: string[]) => directives.findLast(({ name }) => names.includes(name))?.arguments[0]
  const port = last('port', 'rport') ?? defaultPort
  const protocol = last('proto') ?? defaultProtocol
  const remotes = new Map<string, ConfiguredRemote>()
  for (const directive of directives.filter(({ name }) => name === 'remote')) {
    const remote = readRemote(directive, port, protocol)
    remotes.set(writeRemote(remote), remote)
    if (remotes.size > maxRemotes) {
      throw invalidArgument('remote', directive.line, 'too-many')
    }
  }
  return [...remotes.values()]
}

/**
 * Returns the remote of a `<connection>` block, where a later `port` or `proto` also overrules those of `remote`.
 *
 * @param own the directives of the block, with checked arguments
 * @param before the directives before the block
 * @param line the line of the block
 * @throws CausewayError `profile-configuration/invalid-argument`
 */
export function readConnectionRemote(
  own: readonly Directive[],
  before: readonly Directive[],
  line: number,
): ConfiguredRemote {
  let port = defaultPort
  let protocol = defaultProtocol
  let remote: Directive | undefined
  for (const directive of [...before.filter(({ name }) => name !== 'remote'), ...own]) {
    const [first = '', second, third] = directive.arguments
    if (directive.name === 'remote') {
      remote = directive
      port = second ?? port
      protocol = third ?? protocol
    } else if (directive.name === 'port' || directive.name === 'rport') port = first
    else if (directive.name === 'proto') protocol = first
  }
  if (remote === undefined) throw invalidArgument('connection', line, 'arguments')
  return readRemote({ ...remote, arguments: [remote.arguments[0] ?? '', port, protocol] }, port, protocol)
}

/** Returns the line or the `<connection>` block of a remote. */
export function writeRemote({ host, port, protocol, family, options }: ConfiguredRemote): string {
  const line = `remote ${host} ${port} ${protocol}${family}`
  return options === undefined ? line : ['<connection>', line, ...options, '</connection>'].join('\n')
}

function readRemote(directive: Directive, defaultPort: string, defaultProtocol: string): ConfiguredRemote {
  const [host = '', portText = defaultPort, protocolText = defaultProtocol] = directive.arguments
  const port = Number(portText)
  if (isIP(host) === 0 && !isHostName(host)) {
    throw invalidArgument('remote', directive.line, 'host')
  }
  if (port < 1 || port > 65_535) {
    throw invalidArgument('remote', directive.line, 'port')
  }
  const [, protocol, family] = /^(udp|tcp)([46]?)/.exec(protocolText) ?? []
  return {
    host,
    port,
    protocol: protocol === 'tcp' ? 'tcp' : 'udp',
    family: family === '4' || family === '6' ? family : '',
  }
}

/** Returns true if the list contains this host, port and protocol. */
export function isAmong(remote: Remote, others: readonly Remote[]): boolean {
  return others.some(
    ({ host, port, protocol }) =>
      host === remote.host && port === remote.port && protocol === remote.protocol,
  )
}

/** Checks a name (RFC 1123), with the underscore that some names have. A last label of digits is a mistyped address. */
function isHostName(text: string): boolean {
  const labels = text.replace(/\.$/, '').split('.')
  return (
    text.length <= 253 &&
    labels.every((label) => /^[A-Za-z0-9_]([A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?$/.test(label)) &&
    !/^[0-9]+$/.test(labels.at(-1) ?? '')
  )
}
