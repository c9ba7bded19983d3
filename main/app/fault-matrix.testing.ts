import { mkdtemp, open, rm } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, request as forward } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { execa } from 'execa'
import type { MockServer } from '../../mock-server/server'
import { startTestMock, testTls } from '../../mock-server/test-authority'
import type { ConnectOptions } from '../connection/connect-options'
import { CausewayError } from '../errors'
import type { SecretStore } from '../platform/secret-store/secret-store'
import { createTunnelBackend } from '../tunnel/open-tunnel'
import { openVpn } from '../tunnel/openvpn/openvpn'
import type { TunnelBackend, TunnelEnd } from '../tunnel/tunnel'
import { wireGuard } from '../tunnel/wireguard/wireguard'
import { MockControl } from './connecting.testing'
import { createServices, type Services } from './services'

/** A version of the portal's API with a VPN protocol. */
export const worlds = [
  { api: '2', protocol: 'openvpn', profile: 'internet' },
  { api: '3', protocol: 'openvpn', profile: 'office' },
  { api: '3', protocol: 'wireguard', profile: 'wireguard-only' },
] as const
export type World = (typeof worlds)[number]

/** What a person does, and with what: a new computer, a known service, a login, or a finished connection. */
interface Step {
  readonly name: string
  readonly api: '2' | '3' | 'both'
  readonly path: (api: string) => string
  readonly before: 'nothing' | 'service' | 'login' | 'connection' | 'tunnel'
  readonly act: 'add' | 'connect' | 'list' | 'messages' | 'disconnect'
  /** The login's access token has ended meanwhile. */
  readonly isLater?: true
  /** Everything is asked again, as after a restart of Causeway. */
  readonly isAnew?: true
}

const inApi = (two: string, three: string) => (api: string) => (api === '2' ? two : three)
const discovery = inApi('/info.json', '/.well-known/vpn-user-portal')
const same = (path: string) => () => path

export const steps: readonly Step[] = [
  { name: 'discovery of a new service', api: 'both', path: discovery, before: 'nothing', act: 'add' },
  {
    name: 'discovery of a known service',
    api: 'both',
    path: discovery,
    before: 'connection',
    act: 'connect',
    isAnew: true,
  },
  { name: 'login page', api: 'both', path: same('/oauth/authorize'), before: 'service', act: 'connect' },
  { name: 'token', api: 'both', path: same('/oauth/token'), before: 'service', act: 'connect' },
  {
    name: 'refresh',
    api: 'both',
    path: same('/oauth/token'),
    before: 'connection',
    act: 'connect',
    isLater: true,
  },
  {
    name: 'profile list',
    api: 'both',
    path: inApi('/api/vpn/profile_list', '/api/v3/info'),
    before: 'login',
    act: 'list',
  },
  { name: 'key pair', api: '2', path: same('/api/vpn/create_keypair'), before: 'login', act: 'connect' },
  {
    name: 'configuration',
    api: 'both',
    path: inApi('/api/vpn/profile_config', '/api/v3/connect'),
    before: 'connection',
    act: 'connect',
  },
  {
    name: 'check',
    api: 'both',
    path: inApi('/api/vpn/check_certificate', '/api/v3/info'),
    before: 'connection',
    act: 'connect',
  },
  { name: 'messages', api: '2', path: same('/api/vpn/system_messages'), before: 'login', act: 'messages' },
  { name: 'end', api: '3', path: same('/api/v3/disconnect'), before: 'tunnel', act: 'disconnect' },
]

type Fault =
  /** `stalls`: nothing ends it but the caller's time limit. */
  | { readonly answer: object; readonly stalls?: true }
  | { readonly here: 'gone' | 'proxy' | 'disk' | 'key-store' }
  | { readonly clockSeconds: number }

const page = '<!doctype html><title>Sign in to this network</title>'
const answers = (status: number, headers: Readonly<Record<string, string>> = {}): Fault => ({
  answer: { status, headers, body: { error: 'a fault' } },
})

export const faults: Readonly<Record<string, Fault>> = {
  refused: { here: 'gone' },
  reset: { answer: { reset: true } },
  slow: { answer: { slowBodyMs: 200, delayMs: 100 } },
  stalls: { answer: { delayMs: 600_000 }, stalls: true },
  truncated: { answer: { truncate: true } },
  malformed: { answer: { malformed: true } },
  '401': answers(401),
  '403': answers(403),
  '404': answers(404),
  '429': answers(429, { 'retry-after': '1' }),
  '500': answers(500),
  'redirect to http': { answer: { status: 302, headers: { location: 'http://vpn.example.org/' } } },
  'clock a day behind': { clockSeconds: -86_400 },
  'clock a day ahead': { clockSeconds: 86_400 },
  'disk full': { here: 'disk' },
  'key store locked': { here: 'key-store' },
  'proxy gone': { here: 'proxy' },
  'captive portal': { answer: { status: 511, headers: { 'content-type': 'text/html' }, body: page } },
}

/** What came of a fault at a step. */
export interface Outcome {
  /** `fine`, or the code of the error. */
  readonly ended: string
  /** What was lost, which was there before. */
  readonly lost: readonly ('service' | 'login')[]
  /** The person had to sign in again meanwhile. */
  readonly signedInAgain: boolean
  /** What the same action came to when the fault was gone, and the logins that it took. */
  readonly after: { readonly ended: string; readonly logins: number }
  /** The state of the connection after the fault. */
  readonly state: string
}

/** Only root may mount a disk. */
export const mayFillDisks = process.platform === 'linux' && process.geteuid?.() === 0

const notListed = (): Promise<never> => Promise.reject(new Error('not asked for'))

const real = createTunnelBackend({
  privilege: { findHelper: notListed, wantsKillSwitch: notListed },
  openVpnPath: notListed,
  onNotice: () => undefined,
  protocols: {
    openvpn: () => Promise.resolve(openVpn()),
    wireguard: () => Promise.resolve(wireGuard({ secureContext: notListed })),
  },
})

/** Reads the configuration, and runs nothing: every tunnel is up at once. */
const tunnels: TunnelBackend = {
  getReady: () => () => Promise.resolve(),
  openTunnel: async (granted, { onEvent, ...how }) => {
    await real.describe(granted, how)
    onEvent({ event: 'phase', phase: 'starting' })
    let end: (end: TunnelEnd) => void = () => undefined
    const ended = new Promise<TunnelEnd>((resolve) => (end = resolve))
    const remote = { address: '192.0.2.1', port: 1194, protocol: 'udp' } as const
    queueMicrotask(() => {
      onEvent({ event: 'connected', details: { addresses: {}, remote } })
    })
    return {
      ended,
      stop: async () => {
        end({ end: 'stopped' })
        await ended
      },
    }
  },
  isOutdated: () => Promise.resolve(false),
  describe: notListed,
}

/** A mock server behind a relay that can go away. */
export class FaultyPortal {
  readonly #mock: MockServer
  readonly control: MockControl
  readonly #relay = createServer(testTls(), (incoming, outgoing) => {
    if (this.#goneAt !== undefined && incoming.url?.startsWith(this.#goneAt) === true) {
      this.#relay.close()
      this.#relay.closeAllConnections()
      return
    }
    const { method, headers, url } = incoming
    const onward = forward(
      { port: this.#mock.port, host: '127.0.0.1', method, headers, path: url },
      (answer) => {
        answer.on('error', () => outgoing.destroy())
        if (this.change !== undefined && configurationPaths.test(url ?? ''))
          void this.#changed(answer, outgoing, this.change)
        else {
          outgoing.writeHead(answer.statusCode ?? 500, answer.rawHeaders)
          answer.pipe(outgoing)
        }
      },
    )
    onward.on('error', () => outgoing.destroy())
    outgoing.on('close', () => onward.destroy())
    incoming.pipe(onward)
  })
  #goneAt: string | undefined
  #port = 0
  /** Changes the configurations of tunnels. */
  change: ((text: string) => string) | undefined

  private constructor(mock: MockServer) {
    this.#mock = mock
    this.control = new MockControl(mock.control)
  }

  static async start(api: World['api'], tunnel: 'none' | 'openvpn' = 'none'): Promise<FaultyPortal> {
    const portal = new FaultyPortal(await startTestMock({ tunnel, autoApprove: true, api }))
    await portal.#listen()
    return portal
  }

  get address(): string {
    return `https://127.0.0.1:${this.#port}`
  }

  /** Closes the connection at the first request for this path, and refuses all others. */
  goAwayAt(path: string): void {
    this.#goneAt = path
  }

  async comeBack(): Promise<void> {
    this.#goneAt = undefined
    if (!this.#relay.listening) await this.#listen()
  }

  async close(): Promise<void> {
    this.#relay.close()
    this.#relay.closeAllConnections()
    await this.#mock.close()
  }

  /** True if its OpenVPN servers have a device, without which they refuse nobody. */
  get hasDevice(): boolean {
    return this.#mock.tunnel.mode === 'full'
  }

  async #changed(
    answer: IncomingMessage,
    outgoing: ServerResponse,
    change: (text: string) => string,
  ): Promise<void> {
    const body = Buffer.from(change(await text(answer)))
    const { 'content-length': _length, 'transfer-encoding': _encoding, ...headers } = answer.headers
    outgoing.writeHead(answer.statusCode ?? 500, { ...headers, 'content-length': body.length })
    outgoing.end(body)
  }

  async #listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#relay.listen(this.#port, '127.0.0.1', resolve))
    const address = this.#relay.address()
    if (typeof address === 'object' && address !== null) this.#port = address.port
  }
}

const configurationPaths = /^\/api\/(?:vpn\/profile_config|v3\/connect)/

interface ComputerParts {
  readonly tunnels: TunnelBackend
  readonly profileId: string
  readonly connectOptions: () => ConnectOptions
  /** Causeway's files are on a small disk of their own. */
  readonly hasOwnDisk: boolean
}

/** A computer on which faults are made. */
export class FaultyComputer {
  readonly #parts: ComputerParts
  readonly #portal: FaultyPortal
  readonly #world: World
  readonly dataDir: string
  readonly #secrets = new Map<string, string>()
  readonly #made: Services[] = []
  isLocked = false
  hasProxy = false
  laterMs = 0
  logins = 0
  /** The time limit of actions in milliseconds. */
  limitMs = patientMs
  #browserFails: () => void = () => undefined

  private constructor(portal: FaultyPortal, world: World, dataDir: string, parts: ComputerParts) {
    this.#parts = parts
    this.#portal = portal
    this.#world = world
    this.dataDir = dataDir
  }

  /** Returns a new computer, and sets the portal back. */
  static async make(
    portal: FaultyPortal,
    world: World,
    given: Partial<ComputerParts> = {},
  ): Promise<FaultyComputer> {
    const usual = { tunnels, profileId: world.profile, connectOptions: () => ({}), hasOwnDisk: false }
    const parts = { ...usual, ...given }
    await portal.control.post('/reset')
    const dataDir = await mkdtemp(join(tmpdir(), 'causeway-faults-'))
    if (parts.hasOwnDisk) await execa('mount', ['-t', 'tmpfs', '-o', 'size=1m,mode=700', 'none', dataDir])
    return new FaultyComputer(portal, world, dataDir, parts)
  }

  /** The services of a new process. */
  start(): Services {
    const unlocked = <T>(work: () => T): Promise<T> =>
      this.isLocked ? Promise.reject(new CausewayError('secret-store/locked')) : Promise.resolve().then(work)
    const store: SecretStore = {
      get: (account) => unlocked(() => this.#secrets.get(account)),
      set: (account, secret) => unlocked(() => void this.#secrets.set(account, secret)),
      delete: (account) => unlocked(() => void this.#secrets.delete(account)),
    }
    const services = createServices({
      dataDir: this.dataDir,
      secretStore: store,
      tunnels: this.#parts.tunnels,
      runnable: () => [this.#world.protocol],
      now: () => new Date(Date.now() + this.laterMs),
      proxyFor: () =>
        Promise.resolve(this.hasProxy ? { protocol: 'http:', host: '127.0.0.1', port: 1 } : undefined),
      openBrowser: async (url) => {
        this.logins += 1
        try {
          const answer = await fetch(url, { signal: AbortSignal.timeout(this.limitMs) })
          await answer.text()
          if (!answer.ok) this.#browserFails()
        } catch {
          this.#browserFails()
        }
      },
      onNotice: () => undefined,
    })
    this.#made.push(services)
    return services
  }

  async act(services: Services, act: Step['act'], timeoutMs = this.limitMs): Promise<string> {
    const signal = AbortSignal.timeout(timeoutMs)
    const { connection } = services
    // A page that shows an error leads nowhere: the person gives up.
    this.#browserFails = () => void connection.disconnect()
    try {
      if (act === 'add') {
        await services.addInstance({ address: this.#portal.address }, signal)
        return 'fine'
      }
      const instance = await services.instances.find(undefined)
      if (act === 'list') await (await services.portal(instance, signal)).profiles(signal)
      else if (act === 'messages') await (await services.portal(instance, signal)).messages?.(signal)
      else if (act === 'disconnect') await connection.disconnect()
      else {
        const target = { instanceId: instance.id, profileId: this.#parts.profileId }
        const end = await connection.connect(target, { ...this.#parts.connectOptions(), timeoutMs })
        return end === 'connected' ? 'fine' : 'waits for the browser'
      }
      return 'fine'
    } catch (error) {
      if (!(error instanceof CausewayError)) throw error
      return error.variant === undefined ? error.code : `${error.code} (${error.variant})`
    }
  }

  async knows(): Promise<readonly ('service' | 'login')[]> {
    const services = this.start()
    const instances = await services.instances.all()
    if (instances[0] === undefined) return []
    const signedIn = await services.session(instances[0]).signedIn()
    return signedIn ? ['service', 'login'] : ['service']
  }

  async end(): Promise<void> {
    for (const services of this.#made) await services.dispose()
    if (this.#parts.hasOwnDisk) await execa('umount', ['-l', this.dataDir])
    await rm(this.dataDir, { recursive: true, force: true })
  }
}

/** Time limits in milliseconds of an action that stalls, and of all others, which a busy computer doesn't reach. */
const stalledMs = 3000
export const patientMs = 30_000

/** Fills the disk of a file. */
async function fill(path: string): Promise<void> {
  const file = await open(path, 'w')
  try {
    for (;;) await file.write(Buffer.alloc(4096))
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  } finally {
    await file.close()
  }
}

/** Makes the fault at the step, lets it go, and tries again. */
export async function meetFault(
  portal: FaultyPortal,
  world: World,
  step: Step,
  fault: Fault,
): Promise<Outcome> {
  const { control } = portal
  const hasOwnDisk = 'here' in fault && fault.here === 'disk'
  const computer = await FaultyComputer.make(portal, world, { hasOwnDisk })
  try {
    let services = computer.start()
    if (step.before !== 'nothing') await services.addInstance({ address: portal.address })
    if (step.before === 'login') {
      await services.session(await services.instances.find(undefined)).logIn()
    }
    if (step.before === 'connection' || step.before === 'tunnel') await computer.act(services, 'connect')
    if (step.before === 'connection') await services.connection.disconnect()
    const before = await computer.knows()
    // Without connections that are still open.
    if (step.isAnew === true || ('here' in fault && fault.here === 'proxy' && step.before !== 'tunnel'))
      services = computer.start()
    if (step.isLater === true) {
      computer.laterMs += 7_200_000
      await control.post('/clock', { advanceSeconds: 7200 })
    }

    const path = step.path(world.api)
    const filler = join(computer.dataDir, 'filler')
    if ('answer' in fault) await control.fault(path, fault.answer)
    else if ('clockSeconds' in fault) computer.laterMs += fault.clockSeconds * 1000
    else if (fault.here === 'gone') portal.goAwayAt(path)
    else if (fault.here === 'proxy') computer.hasProxy = true
    else if (fault.here === 'key-store') computer.isLocked = true
    else await fill(filler)
    const loginsBefore = computer.logins
    if ('answer' in fault && fault.stalls === true) computer.limitMs = stalledMs
    const ended = await computer.act(services, step.act)
    computer.limitMs = patientMs
    const { state } = services.connection.state

    if ('answer' in fault) await control.clearFaults()
    else if ('clockSeconds' in fault) computer.laterMs -= fault.clockSeconds * 1000
    else await portal.comeBack()
    computer.hasProxy = false
    computer.isLocked = false
    await rm(filler, { force: true })
    if (state === 'connected') await services.connection.disconnect()
    const kept = await computer.knows()
    const loginsDuring = computer.logins - loginsBefore
    // What the fault has held up may still be under way.
    const again = await computer.act(services, step.act === 'disconnect' ? 'connect' : step.act, patientMs)
    return {
      ended,
      state,
      lost: before.filter((each) => !kept.includes(each)),
      signedInAgain: step.before !== 'service' && loginsDuring > 0,
      after: { ended: again, logins: computer.logins - loginsBefore - loginsDuring },
    }
  } finally {
    await portal.comeBack()
    await computer.end()
  }
}
