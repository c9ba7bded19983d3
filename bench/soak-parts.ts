import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { execa } from 'execa'
import { z } from 'zod'
import { createServices } from '../main/app/services'
import { AppModel } from '../main/commands/models/app-model'
import { Notices } from '../main/commands/models/notices'
import { showExpiryNotices } from '../main/desktop/outside/expiry-notices'
import { Emitter } from '../main/emitter'
import type { NetworkEvent } from '../main/platform/network/network-events'
import { connectToMock } from '../mock-server/client'
import { startChildServer } from './child-server'
import { differences, type Traces, tracesOf } from './computer-traces'

/**
 * OpenVPN checks certificates by the machine's clock, so the app and the mock begin in the past: what is issued then is valid now.
 */
export const behindMs = 29 * 24 * 60 * 60_000
/** Leads nowhere, and is there before the mock server and after it. */
export const firstGateway = '10.77.9.1'

const cli = join(import.meta.dirname, '..', 'main', 'cli.ts')

const tunnelSchema = z.object({ servers: z.array(z.object({ host: z.string(), serves: z.string() })) })

/** The servers themselves: OpenVPN's route past the tunnel leads through the gateway, which has to know the way. */
export interface Gateways {
  readonly usual: string
  readonly other: string
}

/**
 * Leads the computer's default route through a gateway, or nowhere. A tunnel may have a default route beside it, if its server pushes
 * one, which `ip route replace` would take for the computer's.
 */
export async function setGateway(gateway: string | undefined, { usual, other }: Gateways): Promise<void> {
  const { stdout } = await execa('ip', ['-4', 'route', 'show', 'default'])
  const before = [firstGateway, usual, other].filter((each) => stdout.includes(`default via ${each} `))
  if (gateway !== undefined && !before.includes(gateway))
    await execa('ip', ['route', 'append', 'default', 'via', gateway, 'dev', await deviceTo(gateway)])
  for (const each of before)
    if (each !== gateway) await execa('ip', ['route', 'delete', 'default', 'via', each])
}

/**
 * Returns the device of the network that has this gateway. Without a name, the kernel would look for the gateway by all rules, and
 * find it through a full tunnel that blocks local networks; whatever sets up a computer's network names it.
 */
async function deviceTo(gateway: string): Promise<string> {
  const words = ['-4', 'route', 'show', 'table', 'main', 'scope', 'link', 'match', gateway]
  const { stdout } = await execa('ip', words)
  const device = / dev (\S+)/.exec(stdout)?.[1]
  if (device === undefined) throw new Error(`no network of this computer has ${gateway}`)
  return device
}

/** Returns what reads the traces of the app and the mock on this computer. */
export function tracesWatcher(dataDir: string): () => Promise<Traces> {
  const folders = {
    'temporary files': tmpdir(),
    'records of the helper': '/run',
  }
  // Those of the program that runs this one, what the mock's servers refuse, and the files of the app, which are counted below.
  const isOwn = (file: string) =>
    !/\/tsx-|\/(client-connect|handshake)\//.test(file) && !file.startsWith(dataDir)
  return async () => {
    const all = await tracesOf(folders)
    // Servers that have started again have other numbers.
    const files = all['temporary files']
      ?.filter(isOwn)
      .map((file) => file.replace(/management-\d+$/, 'management'))
    return { ...all, 'temporary files': files ?? [] }
  }
}

/** Returns what differs from before, once nothing does, or after so many looks. */
export async function differencesAfter(
  looks: number,
  traces: () => Promise<Traces>,
  before: Traces,
): Promise<string[]> {
  for (let look = 1; ; look += 1) {
    const found = differences(before, await traces())
    if (look >= looks || found.length === 0) return found
    await wait(500)
  }
}

/** Starts the mock server in the past, and sets the default route through its network. */
export async function startMock() {
  const server = startChildServer('soak-mock-process.ts', {}, 0)
  const { origin, port, caFile } = z
    .object({ origin: z.url(), port: z.int(), caFile: z.string() })
    .parse(await server.ask(behindMs))
  // That of its ProxyGuard.
  process.env.SSL_CERT_FILE = caFile
  const mock = connectToMock(origin)
  const tunnel = tunnelSchema.parse(await mock.call('GET /tunnel'))
  const hostFor = (kind: string) => tunnel.servers.find(({ serves }) => serves === kind)?.host ?? ''
  const gateways = { usual: hostFor('default-gateway'), other: hostFor('other') }
  await setGateway(gateways.usual, gateways)
  return { process: server, port, mock, gateways }
}

/** Runs the terminal command beside the window, with its files, and a clock that is `shiftMs` from the machine's. */
export async function typeWords(words: readonly string[], dataDir: string, shiftMs: number) {
  const beforeIt = ['tsx', join(import.meta.dirname, 'shifted-clock.ts')].flatMap((each) => [
    '--import',
    each,
  ])
  const { exitCode, stderr } = await execa(
    process.execPath,
    [...beforeIt, cli, '--data-dir', dataDir, '--secret-store', 'file', ...words],
    { env: { CAUSEWAY_CLOCK_SHIFT_MS: String(shiftMs) }, reject: false },
  )
  return { exitCode, stderr }
}

/** Makes the main process of the window without Electron. `now`: the app's clock. */
export function makeApp(dataDir: string, now: () => Date, problem: (text: string) => void) {
  const network = new Emitter<NetworkEvent>()
  const notices = new Notices()
  const services = createServices({
    dataDir,
    kind: 'window',
    secretStore: 'file',
    now,
    networkEvents: { watch: (listener) => network.on(listener) },
    openBrowser: async (url) => {
      // Another program, as a browser is: Node.js keeps what it knows of each address that it has asked, and each login has its own.
      await execa('curl', ['--silent', '--location', '--output', '/dev/null', String(url)])
    },
    onNotice: (notice) => {
      notices.add(notice)
    },
  })
  const model = new AppModel({
    services,
    notices,
    chosenLanguages: [],
    systemLanguages: ['en'],
    onDefect: (error) => {
      problem(`a defect: ${String(error)}`)
    },
  })
  const wakes = new Emitter<void>()
  const stopExpiryNotices = showExpiryNotices({
    model,
    watchExpiry: (watched) => services.watchExpiry(watched),
    now,
    showOnDesktop: () => undefined,
    onResume: (listener) => wakes.on(listener),
  })
  return {
    network,
    notices,
    services,
    model,
    wakes,
    async dispose() {
      stopExpiryNotices()
      await services.dispose()
      model.dispose()
    },
  }
}
