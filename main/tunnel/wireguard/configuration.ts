import { isIP } from 'node:net'

import type { VariantOf } from '../../../contract/error-details'
import { CausewayError } from '../../errors'
import { type AddressRange, contains, prefixRange, prefixesOf } from '../../platform/routes/address-range'
import { mayBeNameServer } from '../name-servers'
import { printable } from '../printable'
import { keyOf, nameOf, noKey, proxyAddress, wholeNumber } from './configuration-values'

/** A server or proxy as a configuration names it. */
export interface Endpoint {
  /** An address without brackets, or a name. */
  readonly host: string
  readonly port: number
}

/** A WireGuard configuration of checked values, each in one spelling. */
export interface WireGuardConfiguration {
  /** One or two, such as `10.0.0.2/24`, at most one of each family. */
  readonly addresses: readonly string[]
  readonly dns: { readonly servers: readonly string[]; readonly domains: readonly string[] }
  readonly mtu?: number
  /** The server's public key, in base64. */
  readonly peer: string
  /** A second secret of both ends, in base64. */
  readonly sharedKey?: string
  /** The networks to route through the tunnel, such as `10.0.0.0/8`. */
  readonly allowed: readonly string[]
  readonly endpoint: Endpoint
  /** Seconds; 0 for none. */
  readonly keepalive: number
  /** The address of the ProxyGuard server; missing for WireGuard over UDP. */
  readonly proxy?: URL
  /** What isn't used as the text has it: lines for the log, without values of the text. */
  readonly notes: readonly string[]
}

/** Returns the server that this computer reaches outside the tunnel: the ProxyGuard server, if there is one. */
export function serverOf({ endpoint, proxy }: WireGuardConfiguration): Endpoint {
  return proxy === undefined
    ? endpoint
    : { host: proxy.hostname.replace(/^\[|\]$/g, ''), port: Number(proxy.port) || 443 }
}

/** The transport that the portal has announced: `tcp` is WireGuard through ProxyGuard. */
export type WireGuardTransport = 'udp' | 'tcp'

const maxTextBytes = 1024 * 1024
const maxAllowed = 5000
const maxNameServers = 8
const maxDomains = 16
const defaultKeepalive = 25

/** Reads the value of one key into the draft. `note` says why it isn't used as it is. */
type Rule = (draft: Draft, value: string, refuse: Refuse, note: (why: string) => void) => void
type Refuse = (reason?: VariantOf<'profile-configuration/invalid-argument'>) => never

/** The values that were read so far. */
interface Draft {
  addresses: Prefix[]
  dns: { servers: string[]; domains: string[] }
  mtu?: number
  peer?: string
  sharedKey?: string
  /** Networks in their only spelling. */
  allowed: Set<string>
  allowedCount: number
  endpoint?: Endpoint
  keepalive?: number
  proxy?: URL
}

interface Prefix {
  readonly text: string
  readonly network: AddressRange
}

const unused =
  (why: string): Rule =>
  (_draft, _value, _refuse, note) => {
    note(`left out, because ${why}`)
  }

/**
 * Every key that a text may have. A key that changes nothing, or that Causeway decides itself, is left out. Anything else is
 * refused, above all the keys that make wg-quick run commands.
 */
const rules: Readonly<Record<'interface' | 'peer', Readonly<Record<string, Rule>>>> = {
  interface: {
    address: (draft, value, refuse) => {
      const parts = listOf(value, /[\s,]+/)
      if (parts.length === 0) refuse()
      draft.addresses.push(...parts.map((part) => interfaceAddress(part) ?? refuse()))
      if (draft.addresses.length > 2) refuse('too-many')
      if (new Set(draft.addresses.map(({ network }) => network.family)).size < draft.addresses.length)
        refuse()
    },
    dns: (draft, value, refuse) => {
      for (const part of listOf(value, /[\s,]+/)) {
        const address = canonicalAddress(part)
        const range = address === undefined ? undefined : prefixRange(address)
        if (range !== undefined && !mayBeNameServer(range)) refuse()
        const [list, each] =
          address === undefined ? [draft.dns.domains, nameOf(part) ?? refuse()] : [draft.dns.servers, address]
        if (!list.includes(each)) list.push(each)
      }
      if (draft.dns.servers.length > maxNameServers || draft.dns.domains.length > maxDomains)
        refuse('too-many')
    },
    mtu: (draft, value, refuse) => {
      draft.mtu = wholeNumber(value) ?? refuse()
    },
    table: (_draft, value, refuse) => {
      if (value.toLowerCase() !== 'auto') refuse()
    },
    listenport: unused('Causeway chooses the port'),
    fwmark: unused('Causeway chooses the mark'),
    saveconfig: unused('Causeway saves no configuration'),
  },
  peer: {
    publickey: (draft, value, refuse) => {
      draft.peer = keyOf(value) ?? refuse()
    },
    presharedkey: (draft, value, refuse) => {
      // Zeros are no key.
      if (value !== noKey) draft.sharedKey = keyOf(value) ?? refuse()
    },
    allowedips: (draft, value, refuse, note) => {
      for (const part of value.split(',').map((each) => each.trim())) {
        // As they are written: reading the same one a hundred thousand times would take seconds.
        draft.allowedCount += 1
        if (draft.allowedCount > maxAllowed) refuse('too-many')
        const range = prefixRange(part)
        if (range === undefined) return refuse()
        // The rest of "everything but these networks" may be such a network.
        if (isRefusedNetwork(range)) note('loopback, multicast and IPv4-mapped addresses left out')
        else draft.allowed.add(canonicalPrefix(range))
      }
    },
    endpoint: (draft, value, refuse) => {
      draft.endpoint = readEndpoint(value, refuse)
    },
    persistentkeepalive: (draft, value, refuse) => {
      draft.keepalive = value.toLowerCase() === 'off' ? 0 : (wholeNumber(value) ?? refuse())
      if (draft.keepalive > 65_535) refuse()
    },
    proxyendpoint: (draft, value, refuse) => {
      draft.proxy = proxyAddress(value) ?? refuse()
    },
  },
}
const repeatable = ['allowedips', 'address', 'dns']

/**
 * Parses the text of a portal (docs/portal-api.md, "WireGuard"). Whatever it doesn't know is refused; errors name the key and
 * the line, never the value.
 *
 * @throws CausewayError `profile-configuration/malformed`, `profile-configuration/forbidden-directive`,
 * `profile-configuration/invalid-argument`, `profile-configuration/incomplete`
 */
export function parseConfiguration(text: string, transport: WireGuardTransport): WireGuardConfiguration {
  if (Buffer.byteLength(text) > maxTextBytes) throw malformed(1, 'too-large')
  const draft: Draft = {
    addresses: [],
    dns: { servers: [], domains: [] },
    allowed: new Set(),
    allowedCount: 0,
  }
  const lines = new Map<string, number>()
  const notes = new Set<string>()
  const sections = new Set<keyof typeof rules>()
  let section: keyof typeof rules | undefined

  for (const [index, raw] of text.split('\n').entries()) {
    const line = index + 1
    const written = raw.replace(/\r$/, '').replaceAll('\t', ' ')
    if (/[\p{Cc}\u2028\u2029]/u.test(written)) throw malformed(line, 'character')
    const code = written.replace(/(#|(^| );).*$/, '')
    // Other spaces than the plain one, and the mark at the start of some files, would be trimmed.
    if (/[^\S ]/.test(code)) throw malformed(line, 'character')
    const content = code.trim()
    if (content === '') continue

    const header = /^\[(.*)\]$/.exec(content)?.[1]?.toLowerCase()
    if (header !== undefined) {
      if ((header !== 'interface' && header !== 'peer') || sections.has(header)) throw malformed(line)
      section = header
      sections.add(header)
      continue
    }
    const equals = content.indexOf('=')
    const key = content.slice(0, Math.max(equals, 0)).trim()
    const name = key.toLowerCase()
    if (key === '' || section === undefined) throw malformed(line)
    const rule = Object.hasOwn(rules[section], name) ? rules[section][name] : undefined
    if (rule === undefined) throw forbidden(key, line)
    const refuse: Refuse = (reason = 'arguments') => {
      throw invalidArgument(key, line, reason)
    }
    if (lines.has(name) && !repeatable.includes(name)) refuse('twice')
    lines.set(name, line)
    rule(draft, content.slice(equals + 1).trim(), refuse, (why) => notes.add(noteOf(key, line, why)))
  }
  return complete(draft, transport, (name) => lines.get(name.toLowerCase()) ?? 1, notes)
}

/** Checks what depends on several keys, and fills in the defaults. */
function complete(
  draft: Draft,
  transport: WireGuardTransport,
  lineOf: (name: string) => number,
  notes: Set<string>,
): WireGuardConfiguration {
  const { addresses, dns, peer, sharedKey, allowed, endpoint, keepalive = defaultKeepalive, proxy } = draft
  if (addresses.length === 0) throw incomplete('Address')
  if (peer === undefined) throw incomplete('PublicKey')
  if (endpoint === undefined) throw incomplete('Endpoint')
  if (draft.allowedCount > 0 && allowed.size === 0)
    throw invalidArgument('AllowedIPs', lineOf('AllowedIPs'), 'arguments')
  if (transport === 'tcp' && proxy === undefined) throw incomplete('ProxyEndpoint')
  if (transport === 'udp' && proxy !== undefined) throw forbidden('ProxyEndpoint', lineOf('ProxyEndpoint'))
  // The endpoint of the other form is a placeholder: ProxyGuard's client listens there.
  const mayBeThere = !isRefusedHost(endpoint.host) || (transport === 'tcp' && endpoint.host === '127.0.0.1')
  if (!mayBeThere) throw invalidArgument('Endpoint', lineOf('Endpoint'), 'host')
  return {
    addresses: addresses.map(({ text }) => text),
    dns,
    mtu: usableMtu(draft, (why) => notes.add(noteOf('MTU', lineOf('MTU'), why))),
    peer,
    sharedKey,
    allowed: allowed.size > 0 ? [...allowed] : addresses.map(({ network }) => canonicalPrefix(network)),
    endpoint,
    keepalive,
    proxy,
    notes: [...notes],
  }
}

const maxMtu = 1500

/** Returns the MTU of the text if a device can have it; undefined for the one that follows from the network. */
function usableMtu({ mtu, addresses }: Draft, note: (why: string) => void): number | undefined {
  // Linux turns IPv6 off below 1280.
  const least = addresses.some(({ network }) => network.family === 6) ? 1280 : 576
  if (mtu === undefined) return undefined
  if (mtu === 0 || mtu > maxMtu) {
    note('left out, so the network decides')
    return undefined
  }
  if (mtu < least) note(`${String(least)} instead, the least for these addresses`)
  return Math.max(mtu, least)
}

/** Returns the text that people see: without the private key, which no text has, and without the shared one. */
export function printConfiguration(configuration: WireGuardConfiguration): string {
  const { addresses, dns, mtu, peer, sharedKey, allowed, endpoint, keepalive, proxy } = configuration
  const names = [...dns.servers, ...dns.domains]
  return [
    '[Interface]',
    'PrivateKey = [private key]',
    `Address = ${addresses.join(', ')}`,
    ...(names.length === 0 ? [] : [`DNS = ${names.join(', ')}`]),
    ...(mtu === undefined ? [] : [`MTU = ${String(mtu)}`]),
    '',
    '[Peer]',
    `PublicKey = ${peer}`,
    ...(sharedKey === undefined ? [] : ['PresharedKey = [pre-shared key]']),
    `AllowedIPs = ${allowed.join(', ')}`,
    `Endpoint = ${endpoint.host.includes(':') ? `[${endpoint.host}]` : endpoint.host}:${String(endpoint.port)}`,
    `PersistentKeepalive = ${String(keepalive)}`,
    ...(proxy === undefined ? [] : [`ProxyEndpoint = ${proxy.href}`]),
    '',
  ].join('\n')
}

/** Returns the parts that aren't empty. */
function listOf(value: string, separator: RegExp): string[] {
  return value.split(separator).filter((part) => part !== '')
}

function noteOf(key: string, line: number, why: string): string {
  return `${printable(key)} on line ${String(line)} of the configuration: ${why}`
}

function canonicalPrefix(range: AddressRange): string {
  return prefixesOf([range])[0] ?? ''
}

/** Returns an address in its only spelling. */
function canonicalAddress(text: string): string | undefined {
  const range = text.includes('/') ? undefined : prefixRange(text)
  return range && canonicalPrefix(range).replace(/\/\d+$/, '')
}

const [loopback4, loopback6, multicast4, multicast6, unspecified4, unspecified6, mapped, broadcast] = [
  '127.0.0.0/8',
  '::1',
  '224.0.0.0/4',
  'ff00::/8',
  '0.0.0.0/8',
  '::',
  '::ffff:0.0.0.0/96',
  '255.255.255.255',
].map((prefix) => prefixRange(prefix))

function isInside(range: AddressRange, ...networks: readonly (AddressRange | undefined)[]): boolean {
  return networks.some((network) => network !== undefined && contains(network, range))
}

/** Networks that no tunnel may carry. IPv4 addresses in IPv6 would be another spelling of them. */
function isRefusedNetwork(range: AddressRange): boolean {
  return isInside(range, loopback4, loopback6, multicast4, multicast6, mapped)
}

/** Addresses that are no other computer's. */
function isRefusedAddress(range: AddressRange): boolean {
  return isRefusedNetwork(range) || isInside(range, unspecified4, unspecified6, broadcast)
}

function interfaceAddress(text: string): Prefix | undefined {
  const [host = '', written] = text.split('/')
  const [address, network] = [prefixRange(host), prefixRange(text)]
  const length = written ?? (address?.family === 4 ? '32' : '128')
  if (address === undefined || network === undefined) return undefined
  // A network of every address would take the route to the server itself.
  // A shorter prefix takes a part of the internet that no list of routes shows.
  if (isRefusedAddress(address) || Number(length) < (network.family === 4 ? 8 : 32)) return undefined
  return { text: `${canonicalAddress(host) ?? host}/${String(Number(length))}`, network }
}

/** Splits a host and a port. An IPv6 address has brackets, because its last group would look like a port. */
function readEndpoint(text: string, refuse: Refuse): Endpoint {
  const [, bracketed, plain = '', digits = ''] = /^(?:\[([^\]]*)\]|([^:]*)):(.*)$/.exec(text) ?? []
  const port = wholeNumber(digits)
  if (port === undefined || port < 1 || port > 65_535) return refuse('port')
  const host = canonicalAddress(bracketed ?? plain) ?? (bracketed === undefined ? nameOf(plain) : undefined)
  if (host === undefined || isIP(host) === (bracketed === undefined ? 6 : 4)) return refuse('host')
  return { host, port }
}

/** Returns true for addresses, and names, of this computer, and for those of no computer. The helper resolves other names. */
function isRefusedHost(host: string): boolean {
  const range = prefixRange(host)
  return range === undefined ? /(^|\.)localhost$/.test(host) : isRefusedAddress(range)
}

function malformed(line: number, variant?: VariantOf<'profile-configuration/malformed'>): CausewayError {
  return new CausewayError('profile-configuration/malformed', { variant, details: { line } })
}

function forbidden(key: string, line: number): CausewayError {
  return new CausewayError('profile-configuration/forbidden-directive', {
    details: { directive: printable(key), line },
  })
}

function invalidArgument(
  key: string,
  line: number,
  variant: VariantOf<'profile-configuration/invalid-argument'>,
): CausewayError {
  return new CausewayError('profile-configuration/invalid-argument', {
    variant,
    details: { directive: printable(key), line },
  })
}

function incomplete(directive: string): CausewayError {
  return new CausewayError('profile-configuration/incomplete', { variant: 'no-line', details: { directive } })
}
