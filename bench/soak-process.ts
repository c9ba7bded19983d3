import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { execa } from 'execa'
import { z } from 'zod'
import type { ConnectionState } from '../contract/connection'
import type { Services } from '../main/app/services'
import type { Emitter } from '../main/emitter'
import { CausewayError } from '../main/errors'
import type { NetworkEvent } from '../main/platform/network/network-events'
import type { Instance } from '../main/portal/instance/instance'
import type { MockClient } from '../mock-server/client'
import { pick, seededRandom } from '../mock-server/seed/random'
import { processIds } from './computer-traces'
import { ownResources, type Resources } from './own-resources'
import {
  behindMs,
  differencesAfter,
  firstGateway,
  type Gateways,
  makeApp,
  setGateway,
  startMock,
  tracesWatcher,
  typeWords,
} from './soak-parts'

/**
 * The computer of `npm run soak` (bench/soak.ts), in a network and a mount namespace of its own: the main process of the window
 * without Electron, the real helper, OpenVPN and WireGuard, and the mock server. Prints a line of JSON after each round.
 */

const planSchema = z.object({
  seed: z.int(),
  /** The least of each; the last round begins before all are reached. */
  rounds: z.int(),
  realMinutes: z.number(),
  appMinutes: z.number(),
  /** Nothing else is to happen. */
  only: z.string().optional(),
})
export type Plan = z.infer<typeof planSchema>

/** What the soak says, a line each. */
export type SoakMessage =
  | {
      readonly kind: 'round'
      readonly round: number
      readonly what: readonly string[]
      readonly appMinutes: number
      readonly app: Resources
      readonly mock: Resources
    }
  /** What is there that wasn't before, or what went wrong. */
  | { readonly kind: 'problem'; readonly round: number; readonly problem: string }
  | { readonly kind: 'done' }

const say = (message: SoakMessage) => process.stdout.write(`${JSON.stringify(message)}\n`)

const limitMs = 120_000

const worlds = [
  { api: '2', protocol: 'openvpn', profiles: ['internet', 'office'] },
  { api: '3', protocol: 'openvpn', profiles: ['internet', 'office', 'campus', 'everywhere'] },
  { api: '3', protocol: 'wireguard', profiles: ['everywhere', 'wireguard-only'] },
] as const
type World = (typeof worlds)[number]
type Fault = NonNullable<Parameters<MockClient['fault']>[0]['fault']>

const faults: readonly [Fault, ...Fault[]] = [
  { reset: true },
  { truncate: true },
  { malformed: true },
  { delayMs: 1500 },
  { slowBodyMs: 800 },
  { status: 500, body: { error: 'a fault' } },
  { status: 429, headers: { 'retry-after': '1' }, body: {} },
  { status: 403, body: { error: 'a fault' } },
  { status: 401, body: { error: 'a fault' } },
]
const faultyPaths = [
  '/api/vpn/*',
  '/api/v3/*',
  '/oauth/token',
  '/info.json',
  '/.well-known/vpn-user-portal',
] as const

const child = { openvpn: 'openvpn', wireguard: 'causeway-wiregu', helper: 'causeway-helper' } as const

const isSettled = ({ state }: ConnectionState) =>
  state === 'connected' || state === 'failed' || state === 'disconnected' || state === 'idle'
interface SoakParts {
  readonly random: () => number
  readonly services: Services
  readonly mock: MockClient
  readonly network: Emitter<NetworkEvent>
  readonly instances: Readonly<Record<'2' | '3', Instance>>
  readonly problem: (problem: string) => void
  readonly pass: (minutes: number) => Promise<void>
  readonly gateways: Gateways
  readonly only: string | undefined
  /** Runs the terminal command with the app's clock, to its end. */
  readonly terminal: (
    words: readonly string[],
  ) => Promise<{ readonly exitCode?: number; readonly stderr: string }>
}

class Soak {
  readonly #parts: SoakParts
  #world: World = worlds[0]
  /** What was done in this round. */
  what: string[] = []

  constructor(parts: SoakParts) {
    this.#parts = parts
  }

  /** Connects, lets things happen, and disconnects. Each world has its turn. */
  async round(number: number, happenings = 1 + Math.floor(this.#parts.random() * 3)): Promise<void> {
    this.#world = worlds[number % worlds.length] ?? worlds[0]
    this.what = [`${this.#world.protocol}, version ${this.#world.api}`]
    const { settings } = this.#parts.services
    await settings.set('killSwitch', this.#chance(0.25) && happenings > 0 ? 'true' : 'false')
    await this.#connect()
    for (let count = 0; count < happenings; count += 1) {
      if (this.#state.state !== 'connected') await this.#connect()
      const names = this.#parts.only === undefined ? Object.keys(this.#happenings) : [this.#parts.only]
      const name = pick(this.#parts.random, [names[0] ?? '', ...names.slice(1)])
      this.what.push(name)
      await this.#happenings[name]?.()
      await this.#settled(name)
    }
    await this.#parts.mock.scenario()
    await setGateway(this.#parts.gateways.usual, this.#parts.gateways)
    await this.#parts.services.connection.disconnect()
    // After a failure, the kill switch stays until the person says so.
    if (await this.#parts.services.killSwitch.check()) await this.#parts.services.releaseTraffic()
  }

  readonly #happenings: Readonly<Record<string, () => Promise<void>>> = {
    'time passes': () => this.#parts.pass(5 + Math.floor(this.#parts.random() * 20)),
    sleep: async () => {
      await this.#parts.pass(10 + Math.floor(this.#parts.random() * 50))
      this.#parts.network.emit('resumed')
      await this.#waitForLoss()
    },
    'a night': async () => {
      await this.#parts.pass(420 + Math.floor(this.#parts.random() * 120))
      this.#parts.network.emit('resumed')
      await this.#waitForLoss()
    },
    'another network': async () => {
      await setGateway(this.#parts.gateways.other, this.#parts.gateways)
      await this.#waitForLoss()
    },
    'network gone for a while': async () => {
      await setGateway(undefined, this.#parts.gateways)
      await this.#waitForLoss()
      await this.#parts.pass(1)
      await setGateway(this.#parts.gateways.usual, this.#parts.gateways)
    },
    'connect again': async () => {
      this.#parts.services.connection.reconnect()
      await this.#waitForLoss()
    },
    'program killed': async () => {
      await this.#kill(child[this.#world.protocol])
    },
    'helper killed': () => this.#kill(child.helper),
    'another profile': () => this.#connect(),
    'cancelled while connecting': async () => {
      await this.#parts.services.connection.disconnect()
      const connecting = this.#attempt()
      const step = pick(this.#parts.random, ['discovering', 'preparing', 'connecting'] as const)
      await this.#until(({ state }) => state === step || state === 'connected' || state === 'failed')
      await this.#parts.services.connection.disconnect()
      await connecting
    },
    'reads through the tunnel': async () => {
      const signal = AbortSignal.timeout(limitMs)
      const portal = await this.#parts.services.portal(this.#instance, signal)
      await portal.profiles(signal)
      await portal.messages?.(signal)
    },
    'faults of the portal': async () => {
      await this.#parts.services.connection.disconnect()
      const remove = await this.#parts.mock.fault({
        match: { path: pick(this.#parts.random, faultyPaths) },
        fault: pick(this.#parts.random, faults),
        times: 1 + Math.floor(this.#parts.random() * 3),
      })
      await this.#attempt({ mayFail: true })
      await remove().catch(() => undefined)
      if (this.#state.state !== 'connected') await this.#connect()
    },
    'servers restarted': async () => {
      if (this.#world.protocol === 'wireguard')
        await execa('ip', ['route', 'flush', 'table', '12288'], { reject: false })
      else await this.#parts.mock.scenario('vpn-servers-restarted')
      await this.#waitForLoss()
    },
    'the terminal reads': async () => {
      await this.#type('status', '--json')
      await this.#type('profile', 'list', this.#instance.id, '--json')
      await this.#type('message', 'list', this.#instance.id, '--json')
    },
    'the terminal disconnects': async () => {
      await this.#type('disconnect', '--wait')
      await this.#until(({ state }) => state === 'disconnected', 5000)
    },
    'the terminal takes over': async () => {
      const { protocol, profiles } = this.#world
      const where = ['--instance', this.#instance.id, '--tunnel', protocol]
      await this.#type('connect', pick(this.#parts.random, profiles), ...where, '--take-over', '--detach')
      if (this.#state.state === 'connected') this.#parts.problem('connected beside the terminal')
      await this.#parts.services.tunnel.askToDisconnect({ takesOver: true })
    },
    'login revoked': async () => {
      await this.#parts.mock.scenario('login-revoked')
      await this.#loseLogin()
    },
    'session over': async () => {
      await this.#parts.mock.scenario('session-over')
      await this.#loseLogin()
    },
    'session ends by the clock': async () => {
      await this.#parts.mock.scenario('session-soon-over')
      await this.#parts.pass(11)
      await this.#parts.mock.scenario()
      await this.#loseLogin()
    },
    'session renewed': () =>
      this.#parts.services.renewSession(this.#instance, {}, (session) => session.logIn()),
    'signed out': async () => {
      await this.#parts.services.connection.disconnect()
      await this.#parts.services.session(this.#instance).logOut()
    },
  }

  get #state(): ConnectionState {
    return this.#parts.services.connection.state
  }

  get #instance(): Instance {
    return this.#parts.instances[this.#world.api]
  }

  #chance(share: number): boolean {
    return this.#parts.random() < share
  }

  /** Has to work. */
  async #connect(): Promise<void> {
    await this.#attempt()
    const { state } = this.#state
    if (state !== 'connected')
      this.#parts.problem(`${state} after ${this.what.join(', ')}: ${describe(this.#state)}`)
  }

  async #attempt({ mayFail = false } = {}): Promise<void> {
    const { profiles, protocol } = this.#world
    const profileId = pick(this.#parts.random, profiles as readonly [string, ...string[]])
    try {
      await this.#parts.services.connection.connect(
        { instanceId: this.#instance.id, profileId },
        { protocol, timeoutMs: limitMs, preferTcp: profileId !== 'wireguard-only' && this.#chance(0.25) },
      )
    } catch (error) {
      if (!(error instanceof CausewayError) || error.code.startsWith('internal/')) throw error
      this.what.push(error.code)
      if (!mayFail) this.#parts.problem(`${error.code} after ${this.what.join(', ')}`)
    }
  }

  /** Has to work. */
  async #type(...words: string[]): Promise<void> {
    const { exitCode, stderr } = await this.#parts.terminal(words)
    if (exitCode !== 0) this.#parts.problem(`causeway ${words.join(' ')} ended with ${exitCode}: ${stderr}`)
  }

  async #kill(name: string): Promise<void> {
    const found = await processIds(name)
    for (const { pid } of found) process.kill(pid, 'SIGKILL')
    if (found.length === 0) this.what.push('(none)')
    await this.#waitForLoss()
  }

  /** The service ends the login: the tunnel goes at once, or with the next attempt. The person signs in again with the next connection. */
  async #loseLogin(): Promise<void> {
    await this.#waitForLoss()
    this.#parts.services.connection.reconnect()
    await this.#settled('the end of the login')
    await this.#parts.mock.scenario()
  }

  /** Waits until the tunnel isn't up any more, as most of what happens to it should have it, but not for long. */
  async #waitForLoss(): Promise<void> {
    await this.#until(({ state }) => state !== 'connected', 3000)
  }

  async #settled(after: string): Promise<void> {
    const ends = Date.now() + limitMs
    while (!isSettled(this.#state)) {
      if (await this.#until(isSettled, 5000)) return
      // The person doesn't wait for half a minute, but lets an attempt end.
      const isWaiting = this.#state.state === 'reconnecting' && this.#state.nextAttemptAt !== undefined
      if (isWaiting) this.#parts.services.connection.retryNow()
      if (Date.now() > ends) {
        this.#parts.problem(`still ${describe(this.#state)} long after ${after}`)
        return
      }
    }
  }

  /** Returns whether the connection came into such a state within the time. */
  async #until(isWanted: (state: ConnectionState) => boolean, withinMs = limitMs): Promise<boolean> {
    if (isWanted(this.#state)) return true
    const over = new AbortController()
    const stop = this.#parts.services.connection.onChange((state) => {
      if (isWanted(state)) over.abort()
    })
    await wait(withinMs, undefined, { signal: over.signal }).catch(() => undefined)
    stop()
    return over.signal.aborted
  }
}

function describe(state: ConnectionState): string {
  if (state.state === 'failed') return `failed (${state.error.code})`
  return state.state === 'reconnecting' ? `reconnecting (${state.reason})` : state.state
}

async function soak({ seed, rounds, realMinutes, appMinutes, only }: Plan): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'causeway-soak-'))
  const traces = tracesWatcher(dataDir)
  const untouched = await traces()
  let passedMs = 0
  let round = 0
  const problem = (text: string) => {
    say({ kind: 'problem', round, problem: text })
  }
  const { process: mockProcess, port, mock, gateways } = await startMock()
  const app = makeApp(dataDir, () => new Date(Date.now() - behindMs + passedMs), problem)
  const { services, network } = app
  const began = Date.now()
  try {
    await app.model.start()
    const instances = {
      2: await services.addInstance({ address: `http://127.0.0.1:${port}/`, apiVersion: 2 }),
      3: await services.addInstance({ address: `http://localhost:${port}/`, apiVersion: 3 }),
    }
    const pass = async (minutes: number) => {
      passedMs += minutes * 60_000
      await mock.clock(minutes * 60)
      app.wakes.emit()
    }
    const random = seededRandom(seed)
    const terminal = (words: readonly string[]) => typeWords(words, dataDir, passedMs - behindMs)
    const all = new Soak({
      random,
      services,
      mock,
      network,
      instances,
      problem,
      pass,
      gateways,
      only,
      terminal,
    })
    for (let warmUp = 0; warmUp < worlds.length; warmUp += 1) await all.round(warmUp, 0)
    const before = await traces()
    const isOver = () =>
      round >= rounds && Date.now() - began >= realMinutes * 60_000 && passedMs >= appMinutes * 60_000
    while (!isOver()) {
      round += 1
      await all.round(round)
      for (const difference of await differencesAfter(20, traces, before))
        problem(`left by ${all.what.join(', ')}: ${difference}`)
      const what = [...all.what]
      const own = {
        ...(await ownResources()),
        notices: app.notices.all.length,
        'files of the app': await filesOf(dataDir),
      }
      const theirs = z.record(z.string(), z.number()).parse(await mockProcess.ask('resources'))
      say({ kind: 'round', round, what, appMinutes: passedMs / 60_000, app: own, mock: theirs })
    }
  } finally {
    await app.dispose()
    await setGateway(firstGateway, gateways)
    await mockProcess.ask('close')
    await mockProcess.end()
    await rm(dataDir, { recursive: true, force: true })
  }
  for (const difference of await differencesAfter(20, traces, untouched))
    problem(`left at the end: ${difference}`)
  say({ kind: 'done' })
}

async function filesOf(folder: string): Promise<number> {
  const { stdout } = await execa('find', [folder, '-type', 'f'])
  return stdout.split('\n').length
}

await soak(planSchema.parse(JSON.parse(process.argv[2] ?? '')))
