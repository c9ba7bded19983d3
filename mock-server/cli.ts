import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { z } from 'zod'
import type { Clock } from './clock'
import { launcherGone } from './launcher'
import { administrator, organizationToken } from './organizations/authentication'
import { newestPortal, portalVersions } from './vpn/portal-version'
import { mostSessionSeconds } from './vpn/token-store'
import { createMockServer, type MockServer, type MockServerOptions } from './server'

const exitFailed = 1
const exitWrongUsage = 2

interface Given {
  host: string
  port: number
  seed?: number
  now?: Date
  autoApprove?: true
  tunnel: 'none' | 'openvpn'
  pushDefaultRoute?: true
  dataDir?: string
  redirectDiscovery?: '301' | '302' | '303'
  portalVersion: NonNullable<MockServerOptions['portalVersion']>
  sessionSeconds?: number
  strictIdentity?: true
  orgAuth?: 'bearer' | 'basic'
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

function time(text: string): Date {
  const parsed = z.iso.datetime({ offset: true }).safeParse(text)
  if (!parsed.success) throw new InvalidArgumentError('It must be a time such as 2026-11-20T12:00:00Z.')
  return new Date(parsed.data)
}

function commandLine(): Command {
  return new Command('mock-server')
    .description('Plays a VPN instance and the services around it, for demos and tests.')
    .option('--port <number>', 'port to listen on; 0 picks a free one', wholeNumber(0, 65535), 5006)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option(
      '--seed <number>',
      'which seed data, identifiers and keys to start from; 1 unless given',
      wholeNumber(0, 4294967295),
    )
    .option(
      '--now <time>',
      "a time such as 2026-11-20T12:00:00Z at which the clock stands still; the machine's clock unless given",
      time,
    )
    .option('--auto-approve', 'approve every authorization request without showing the page')
    .addOption(
      new Option('--tunnel <kind>', 'what is behind the profiles: nothing, or real OpenVPN servers')
        .choices(['none', 'openvpn'])
        .default('none'),
    )
    .option(
      '--push-default-route',
      'let the tunnel take all traffic of its clients; only for clients in a network namespace of their own',
    )
    .option('--data-dir <directory>', 'keep everything here; in memory unless given')
    .addOption(
      new Option('--redirect-discovery <status>', 'answer discovery with a redirect').choices([
        '301',
        '302',
        '303',
      ]),
    )
    .addOption(
      new Option('--portal-version <version>', 'the portal to play; an older one lacks what came later')
        .choices(portalVersions)
        .default(newestPortal),
    )
    .option(
      '--session-seconds <number>',
      'how long a login lasts, with its tokens and certificates; 90 days unless given',
      wholeNumber(1, mostSessionSeconds),
    )
    .option('--strict-identity', 'demand x-user-roles and x-user-id of callers of the attachments service')
    .addOption(
      new Option(
        '--org-auth <scheme>',
        `demand authentication of callers of the organization API: the token ${organizationToken}, or ${administrator}`,
      ).choices(['bearer', 'basic']),
    )
    .option('--json', 'print the addresses as one line of JSON once ready')
    .exitOverride()
}

/** A clock that moves only when it is moved: the same calls then give the same answers, times included. */
function standingAt(time: Date): Clock {
  return { now: () => new Date(time) }
}

function serverOptions(given: Given): MockServerOptions {
  const redirects = { '301': 301, '302': 302, '303': 303 } as const
  return {
    host: given.host,
    port: given.port,
    autoApprove: given.autoApprove === true,
    tunnel: given.tunnel,
    pushDefaultRoute: given.pushDefaultRoute === true,
    portalVersion: given.portalVersion,
    strictIdentity: given.strictIdentity === true,
    seed: given.seed,
    sessionSeconds: given.sessionSeconds,
    dataDir: given.dataDir,
    orgAuth: given.orgAuth,
    redirectDiscovery: given.redirectDiscovery && redirects[given.redirectDiscovery],
    clock: given.now && standingAt(given.now),
  }
}

function announce(server: MockServer, asJson: boolean): void {
  const { origin, instance, attachments, content, organizations, control } = server
  if (asJson) {
    const event = {
      event: 'listening',
      origin,
      instance,
      attachments,
      content,
      organizations,
      control,
    }
    console.log(JSON.stringify(event))
  } else {
    console.log(`The mock instance is at ${instance} (what it can do: ${control}). Ctrl-C ends it.`)
  }
}

function fail(message: string, status: number): never {
  console.error(message)
  process.exit(status)
}

function readCommandLine(): Given {
  const command = commandLine()
  try {
    command.parse()
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    process.exit(error.exitCode === 0 ? 0 : exitWrongUsage)
  }
  return command.opts<Given>()
}

/**
 * Resolves when the mock is to end: by a signal, or because nobody is left who wanted it. Further signals change
 * nothing, because launchers pass on a Ctrl-C that the terminal has sent to everyone already.
 */
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
  // Listened for before anything is started, so that a signal during the start still cleans up.
  const end = endWanted()
  const server = await createMockServer(serverOptions(given))
  if (server.tunnel.mode === 'handshake') {
    console.error(`The tunnel serves handshakes only. ${server.tunnel.reason}`)
  }
  if (server.tunnel.mode === 'full' && given.pushDefaultRoute !== true && given.json !== true) {
    console.error(
      'The profile "internet" is announced as one for all traffic, but its tunnel leaves yours outside, so that this machine stays on its network.',
    )
  }
  announce(server, given.json === true)
  await end
  await server.close()
}

// Whoever reads the output may be gone first; that is no reason to skip the clean-up.
process.stdout.on('error', () => undefined)
process.stderr.on('error', () => undefined)

run().then(
  () => process.exit(0),
  (error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    fail(`The mock server failed: ${reason}`, exitFailed)
  },
)
