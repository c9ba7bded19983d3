#!/usr/bin/env node
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { z } from 'zod'
import { version } from '../package.json'
import type { Clock } from './clock'
import { launcherGone } from './launcher'
import { pageOriginIn } from './http/cors'
import { originIn } from './http/origin'
import { administrator, organizationAuthentications, organizationToken } from './organizations/wire'
import { type AddedClient, parseClient } from './vpn/clients'
import { offeredApis } from './vpn/situation'
import { maxSessionSeconds } from './vpn/token-store'
import { portal3Versions, portalVersions } from './vpn/portal-version'
import {
  createMockServer,
  type MockServer,
  type MockServerOptions,
  type Setup,
  setUp,
  setupOf,
} from './server'
import { messageOf } from './errors'

const exitFailed = 1
const exitWrongUsage = 2

const redirects = { '301': 301, '302': 302, '303': 303 } as const

/** The options of the command: those of the mock by the same names, but for a few that have another form here. */
interface Given extends Omit<MockServerOptions, 'clients' | 'clock' | 'redirectDiscovery' | 'tls'> {
  client?: AddedClient[]
  now?: Date
  redirectDiscovery?: keyof typeof redirects
  tls?: true
  tlsCa?: string
  tlsCaKey?: string
  tlsCert?: string
  tlsKey?: string
  scenario?: Setup[]
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

function commandLine(): Command {
  return new Command('mock-server')
    .description('Plays a VPN instance and the services around it, for demos and tests.')
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
    .version(version, '--version', 'print the version')
    .option('--json', 'print the addresses as one line of JSON once ready')
    .exitOverride()
}

function standingAt(time: Date): Clock {
  return { now: () => new Date(time) }
}

function tlsOption({
  tls,
  tlsCa: ca,
  tlsCaKey: caKey,
  tlsCert: cert,
  tlsKey: key,
}: Pick<Given, 'tls' | 'tlsCa' | 'tlsCaKey' | 'tlsCert' | 'tlsKey'>): MockServerOptions['tls'] {
  if ((cert === undefined) !== (key === undefined))
    fail('error: --tls-cert and --tls-key need each other.', exitWrongUsage)
  if ((ca === undefined) !== (caKey === undefined))
    fail('error: --tls-ca and --tls-ca-key need each other.', exitWrongUsage)
  if (ca !== undefined && cert !== undefined)
    fail('error: --tls-ca and --tls-cert exclude each other.', exitWrongUsage)
  if (ca !== undefined && caKey !== undefined) return { ca, caKey }
  return cert !== undefined && key !== undefined ? { cert, key } : tls && 'generated'
}

function serverOptions(given: Given): MockServerOptions {
  const { client, now, redirectDiscovery, tls, tlsCa, tlsCaKey, tlsCert, tlsKey, scenario, json, ...same } =
    given
  return {
    ...same,
    clients: client,
    tls: tlsOption({ tls, tlsCa, tlsCaKey, tlsCert, tlsKey }),
    redirectDiscovery: redirectDiscovery && redirects[redirectDiscovery],
    clock: now && standingAt(now),
  }
}

function announce(server: MockServer, asJson: boolean): void {
  const { origin, instance, attachments, content, organizations, control, discovery, caFile: ca } = server
  if (asJson) {
    const addresses = { origin, instance, attachments, content, organizations, control, discovery, ca }
    console.log(JSON.stringify({ event: 'listening', ...addresses }))
  } else {
    console.log(`The mock instance is at ${instance} (what it can do: ${control}). Ctrl-C ends it.`)
    if (ca !== undefined)
      console.log(`Its clients must trust the CA in ${ca}, many with SSL_CERT_FILE=${ca}.`)
  }
}

function fail(message: string, status: number): never {
  console.error(message)
  process.exit(status)
}

function checkCombination({
  oldTls,
  pushDefaultRoute,
  tls,
  tlsCa,
  tlsCert,
  tunnel,
  tunnelPort,
}: Given): void {
  const needs = (given: unknown, option: string, isMet: boolean, other: string) => {
    if (given !== undefined && !isMet) fail(`error: ${option} does nothing without ${other}.`, exitWrongUsage)
  }
  needs(oldTls, '--old-tls', (tls ?? tlsCa ?? tlsCert) !== undefined, '--tls')
  needs(pushDefaultRoute, '--push-default-route', tunnel !== 'none', '--tunnel')
  needs(tunnelPort, '--tunnel-port', tunnel === 'openvpn' || tunnel === 'both', '--tunnel openvpn')
}

function readCommandLine(): Given {
  const command = commandLine()
  try {
    command.parse()
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    process.exit(error.exitCode === 0 ? 0 : exitWrongUsage)
  }
  const given = command.opts<Given>()
  checkCombination(given)
  return given
}

/** Resolves on a signal, or when the parent has ended. Later signals are ignored: launchers forward a Ctrl-C twice. */
async function endWanted(): Promise<void> {
  const watch = new AbortController()
  const signalled = new Promise<void>((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
      process.on(signal, () => {
        resolve()
      })
    }
  })
  await Promise.race([signalled, launcherGone(watch.signal)])
  watch.abort()
}

async function run(): Promise<void> {
  const given = readCommandLine()
  // Added before anything starts, so that a signal during the start also cleans up.
  const end = endWanted()
  const server = await createMockServer(serverOptions(given))
  try {
    await setUp(server, given.scenario ?? [])
  } catch (error) {
    await server.close()
    throw error
  }
  if (server.tunnel.mode === 'handshake')
    console.error(`The tunnel serves handshakes only. ${server.tunnel.reason}`)
  if (server.wireguard.mode === 'none' && server.wireguard.reason !== undefined)
    console.error(`The WireGuard server does not run. ${server.wireguard.reason}`)
  if (
    (server.tunnel.mode === 'full' || server.wireguard.mode === 'full') &&
    given.pushDefaultRoute !== true &&
    given.json !== true
  ) {
    console.error(
      'The profile "internet" is announced as one for all traffic, but its tunnel leaves yours outside, so that this machine stays on its network.',
    )
  }
  announce(server, given.json === true)
  await end
  await server.close()
}

// The reader of the output may end first. The mock must still clean up.
process.stdout.on('error', () => undefined)
process.stderr.on('error', () => undefined)

run().then(
  () => process.exit(0),
  (error: unknown) => {
    fail(`The mock server failed: ${messageOf(error)}`, exitFailed)
  },
)
