import { Command, InvalidArgumentError, Option } from 'commander'
import { z } from 'zod'
import { version } from '../package.json'
import { pageOriginIn } from './http/cors'
import { isLoopback, originIn } from './http/origin'
import { administrator, organizationAuthentications, organizationToken } from './organizations/wire'
import { type AddedClient, parseClient } from './vpn/clients'
import { offeredApis } from './vpn/situation'
import { maxSessionSeconds } from './vpn/token-store'
import { portal3Versions, portalVersions } from './vpn/portal-version'
import { type MockServerOptions, type Setup, setupOf } from './server'
import { messageOf } from './errors'
import options from './options.json'

const redirects = { '301': 301, '302': 302, '303': 303 } as const

/** The options of the command: those of the mock by the same names, but for a few that have another form here. */
export interface Given extends Omit<MockServerOptions, 'clients' | 'clock' | 'redirectDiscovery' | 'tls'> {
  client?: AddedClient[]
  now?: Date
  redirectDiscovery?: keyof typeof redirects
  tls?: true
  tlsCa?: string
  tlsCaKey?: string
  tlsCert?: string
  tlsKey?: string
  scenario?: Setup[]
  record?: URL
  json?: true
}

function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (/^\d{1,10}$/.test(text) && value >= least && value <= most) return value
    throw new Error(`It must be a whole number from ${least} to ${most}.`)
  }
}

/** An empty one, as of a variable without a value, would mean every network. */
function host(text: string): string {
  if (text.trim() === '') throw new Error('It must be an address or a name.')
  return text
}

function time(text: string): Date {
  const parsed = z.iso.datetime({ offset: true }).safeParse(text)
  if (!parsed.success) throw new Error('It must be a time such as 2026-11-20T12:00:00Z.')
  return new Date(parsed.data)
}

/** Returns the address of a portal. Throws an Error if it isn't one that a client may send a password to. */
function portalIn(text: string): URL {
  const url = URL.parse(text)
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname))
  if (url === null || !isSafe) throw new Error(`${text} is not an address such as https://vpn.example.org/.`)
  return url
}

/** Readers of the values of options, which throw an Error with the reason. Those of the second table may be repeated. */
const readers: Record<string, (text: string) => unknown> = {
  port: wholeNumber(0, 65535),
  host,
  seed: wholeNumber(0, 4294967295),
  now: time,
  'tunnel-port': wholeNumber(1, 65535 - 11),
  'session-seconds': wholeNumber(1, maxSessionSeconds),
  origin: originIn,
  record: portalIn,
}
const listReaders: typeof readers = { cors: pageOriginIn, client: parseClient, scenario: setupOf }

/** Returns what Commander wants of these: it calls it with the value so far, and takes errors of its own class. */
function parserOf(name: string): ((text: string, before?: unknown) => unknown) | undefined {
  const read = readers[name] ?? listReaders[name]
  if (read === undefined) return undefined
  return (text, before) => {
    try {
      const value = read(text)
      return name in listReaders ? [...(Array.isArray(before) ? (before as unknown[]) : []), value] : value
    } catch (error) {
      throw new InvalidArgumentError(messageOf(error))
    }
  }
}

const choices: Record<string, readonly string[]> = {
  tunnel: ['none', 'openvpn', 'wireguard', 'both'],
  'redirect-discovery': Object.keys(redirects),
  api: offeredApis,
  'portal-version': [...portalVersions, ...portal3Versions],
  'org-auth': organizationAuthentications,
}

/** Returns the command with its options, which docs/mock-options.md lists. */
export function commandLine(): Command {
  const command = new Command('mock-server').description(
    'Plays a VPN instance and the services around it, for demos and tests.',
  )
  for (const { flags, description, default: usual } of options) {
    const words = description.replace('{token}', organizationToken).replace('{password}', administrator)
    const option = new Option(flags, words).default(usual)
    const parser = parserOf(option.name())
    const values = choices[option.name()]
    if (parser !== undefined) option.argParser(parser)
    if (values !== undefined) option.choices(values)
    command.addOption(option)
  }
  return command
    .version(version, '--version', 'print the version')
    .option('--json', 'print the addresses as one line of JSON once ready')
    .exitOverride()
}

/** Returns the options in these words; throws a CommanderError, after printing it, if they are wrong. */
export function readOptions(words: readonly string[]): Given {
  const command = commandLine()
  command.parse(words, { from: 'user' })
  const given = command.opts<Given>()
  const wrong = wrongCombination(given)
  if (wrong !== undefined) command.error(`error: ${wrong}`)
  return given
}

function wrongCombination(given: Given): string | undefined {
  const { oldTls, pushDefaultRoute, tls, tlsCa: ca, tlsCaKey, tlsCert: cert, tlsKey } = given
  const { tunnel, tunnelPort } = given
  if (oldTls !== undefined && (tls ?? ca ?? cert) === undefined)
    return '--old-tls does nothing without --tls.'
  if (pushDefaultRoute !== undefined && tunnel === 'none')
    return '--push-default-route does nothing without --tunnel.'
  if (tunnelPort !== undefined && tunnel !== 'openvpn' && tunnel !== 'both')
    return '--tunnel-port does nothing without --tunnel openvpn.'
  if ((cert === undefined) !== (tlsKey === undefined)) return '--tls-cert and --tls-key need each other.'
  if ((ca === undefined) !== (tlsCaKey === undefined)) return '--tls-ca and --tls-ca-key need each other.'
  if (ca !== undefined && cert !== undefined) return '--tls-ca and --tls-cert exclude each other.'
  return undefined
}

function tlsOption({ tls, tlsCa: ca, tlsCaKey: caKey, tlsCert: cert, tlsKey: key }: Given) {
  if (ca !== undefined && caKey !== undefined) return { ca, caKey }
  return cert !== undefined && key !== undefined ? { cert, key } : tls && 'generated'
}

/** Returns the options of the mock that the command was given. */
export function serverOptions(given: Given): MockServerOptions {
  const {
    client,
    now,
    redirectDiscovery,
    tls,
    tlsCa,
    tlsCaKey,
    tlsCert,
    tlsKey,
    scenario,
    record,
    json,
    ...same
  } = given
  return {
    ...same,
    clients: client,
    tls: tlsOption(given),
    redirectDiscovery: redirectDiscovery && redirects[redirectDiscovery],
    clock: now && { now: () => new Date(now) },
  }
}
