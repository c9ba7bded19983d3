#!/usr/bin/env node
import { CommanderError } from 'commander'
import { type Given, readOptions, serverOptions } from './command-line'
import { launcherGone } from './launcher'
import { createMockServer, type MockServer, setUp, startRecorder } from './server'
import { messageOf } from './errors'

const exitFailed = 1
const exitWrongUsage = 2

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

function readCommandLine(): Given {
  try {
    return readOptions(process.argv.slice(2))
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    process.exit(error.exitCode === 0 ? 0 : exitWrongUsage)
  }
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
