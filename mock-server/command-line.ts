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

export const redirects = { '301': 301, '302': 302, '303': 303 } as const

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
    if (!/^\d{1,10}$/.test(text) || value < least || value > most) {
      throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`)
    }
    return value
  }
}

/** An empty one, as of a variable without a value, would mean every network. */
function host(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('It must be an address or a name.')
  return text
}

function time(text: string): Date {
  const parsed = z.iso.datetime({ offset: true }).safeParse(text)
  if (!parsed.success) throw new InvalidArgumentError('It must be a time such as 2026-11-20T12:00:00Z.')
  return new Date(parsed.data)
}

/** Returns the address of a portal. Throws an Error if it isn't one that a client may send a password to. */
function portalIn(text: string): URL {
  const url = URL.parse(text)
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname))
  if (url === null || !isSafe) throw new Error(`${text} is not an address such as https://vpn.example.org/.`)
  return url
}

/** Returns a parser of an option from a function that throws an Error with the reason. */
function parserOf<T>(parse: (text: string) => T): (text: string) => T {
  return (text) => {
    try {
      return parse(text)
    } catch (error) {
      throw new InvalidArgumentError(messageOf(error))
    }
  }
}

function listOf<T>(parse: (text: string) => T): (text: string, before?: T[]) => T[] {
  const parser = parserOf(parse)
  return (text, before = []) => [...before, parser(text)]
}

/** Where it listens, its data and its clock. */
function addServer(command: Command): Command {
  return command
    .option('--port <number>', 'port to listen on; 0 picks a free one', wholeNumber(0, 65535), 5006)
    .option('--host <address>', 'address to listen on', host, '127.0.0.1')
    .option(
      '--seed <number>',
      'the seed of data, identifiers and keys; default 1',
      wholeNumber(0, 4294967295),
    )
    .option(
      '--now <time>',
      "a time such as 2026-11-20T12:00:00Z at which the clock stands still; default the machine's clock",
      time,
    )
    .option('--auto-approve', 'approve every authorization request without showing the page')
}

/** What is behind the profiles. */
function addTunnel(command: Command): Command {
  return command
    .addOption(
      new Option('--tunnel <kind>', 'what is behind the profiles: nothing, or real servers')
        .choices(['none', 'openvpn', 'wireguard', 'both'])
        .default('none'),
    )
    .option(
      '--tunnel-port <number>',
      'the first of twelve ports, UDP and TCP, of the OpenVPN servers for other machines; default free ports',
      wholeNumber(1, 65535 - 11),
    )
    .option(
      '--push-default-route',
      'let the tunnel take all traffic of its clients; only for clients in a network namespace of their own',
    )
}

/** The portal and the services around it. */
function addPortal(command: Command): Command {
  return command
    .option('--data-dir <directory>', 'keep everything in this directory; default in memory')
    .addOption(
      new Option('--redirect-discovery <status>', 'answer discovery with a redirect').choices(
        Object.keys(redirects),
      ),
    )
    .addOption(
      new Option(
        '--api <versions>',
        'the versions of the VPN application API that the portal offers; default that of --portal-version, else 2',
      ).choices(offeredApis),
    )
    .addOption(
      new Option(
        '--portal-version <version>',
        'the portal to play; an older one lacks what came later; default the newest',
      ).choices([...portalVersions, ...portal3Versions]),
    )
    .option(
      '--session-seconds <number>',
      'how long a login lasts, with its tokens and certificates; default 90 days',
      wholeNumber(1, maxSessionSeconds),
    )
    .option('--strict-identity', 'require x-user-roles and x-user-id in calls of the attachments service')
    .addOption(
      new Option(
        '--org-auth <scheme>',
        `require authentication for the organization API: the token ${organizationToken}, or ${administrator}`,
      ).choices(organizationAuthentications),
    )
}

/** The addresses and certificates in its answers, and the pages that may call it. */
function addAddresses(command: Command): Command {
  return command
    .option(
      '--origin <url>',
      'the origin that all answers name; default the origin that the client called',
      parserOf(originIn),
    )
    .option('--tls', 'speak https, with a certificate of a new CA unless --tls-ca or --tls-cert is given')
    .option('--tls-ca <file>', 'the CA that issues the certificates for https, as PEM; needs --tls-ca-key')
    .option('--tls-ca-key <file>', 'the key of --tls-ca, as PEM')
    .option('--tls-cert <file>', 'the certificate for https, with its chain, as PEM; needs --tls-key')
    .option('--tls-key <file>', 'the key of --tls-cert, as PEM')
    .option('--old-tls', 'speak no newer TLS than 1.2, as old portals; with --tls')
    .option(
      '--cors <origin>',
      'let pages of this origin call the services, though not the control calls; * for all; repeatable',
      listOf(pageOriginIn),
    )
}

/** The clients that it accepts, and how it begins. */
function addClients(command: Command): Command {
  return command
    .option(
      '--client <id=redirect>',
      'register this OAuth client; {PORT} in its redirect URI stands for any port; repeatable',
      listOf(parseClient),
    )
    .option('--any-client', 'accept every OAuth client and redirect URI')
    .option(
      '--oauth-metadata',
      'add metadata (RFC 8414, OpenID Connect), revocation, introspection and JWT access tokens, which portals lack',
    )
    .option(
      '--scenario <name|file>',
      'set up this scenario, or what a JSON file says ({"scenarios", "clock", "faults"}); repeatable',
      listOf(setupOf),
    )
    .option(
      '--record <url>',
      'instead of a mock: pass everything on to this portal, and write a file for --scenario, without secrets, into the current folder',
      parserOf(portalIn),
    )
}

/** Returns the command with its options, which docs/mock-options.md lists. */
export function commandLine(): Command {
  const command = new Command('mock-server').description(
    'Plays a VPN instance and the services around it, for demos and tests.',
  )
  for (const add of [addServer, addTunnel, addPortal, addAddresses, addClients]) add(command)
  return command
    .version(version, '--version', 'print the version')
    .option('--json', 'print the addresses as one line of JSON once ready')
    .exitOverride()
}
