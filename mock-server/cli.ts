#!/usr/bin/env node
import { CommanderError } from 'commander'
import { commandLine, type Given, redirects } from './command-line'
import { launcherGone } from './launcher'
import { createMockServer, type MockServer, type MockServerOptions, setUp, startRecorder } from './server'
import { messageOf } from './errors'

const exitFailed = 1
const exitWrongUsage = 2

function tlsOption(given: Given): MockServerOptions['tls'] {
  const { tls, tlsCa: ca, tlsCaKey: caKey, tlsCert: cert, tlsKey: key } = given
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

function checkCombination(given: Given): void {
  const { oldTls, pushDefaultRoute, tls, tlsCa, tlsCert, tunnel, tunnelPort } = given
  const needs = (value: unknown, option: string, isMet: boolean, other: string) => {
    if (value !== undefined && !isMet) fail(`error: ${option} does nothing without ${other}.`, exitWrongUsage)
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

/** Records a portal until the end is wanted. */
async function record(portal: URL, { host = '', port = 0, json }: Given, end: Promise<void>): Promise<void> {
  const file = `recording-${portal.hostname}.json`
  const recorder = await startRecorder({ portal, host, port, file })
  const { origin, instance } = recorder
  if (json === true) console.log(JSON.stringify({ event: 'listening', origin, instance, file }))
  else
    console.log(`${portal.href} is at ${instance} for a client, and is recorded in ${file}. Ctrl-C ends it.`)
  await end
  await recorder.close()
}

async function run(): Promise<void> {
  const given = readCommandLine()
  // Added before anything starts, so that a signal during the start also cleans up.
  const end = endWanted()
  if (given.record !== undefined) {
    await record(given.record, given, end)
    return
  }
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
