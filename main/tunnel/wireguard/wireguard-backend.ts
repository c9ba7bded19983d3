import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIP } from 'node:net'
import type { SecureContext } from 'node:tls'

import type { ReconnectReason } from '../../../contract/connection'
import { type ErrorReport } from '../../../contract/error-codes'
import { CausewayError, report } from '../../errors'
import { type HelperProgram, runHelper } from '../../privilege/helper-client'
import { type HelperFailure, type HelperMessage, helperError } from '../../privilege/helper-messages'
import type { Privilege } from '../../privilege/privilege'
import { contains, prefixRange, prefixesOf } from '../../platform/routes/address-range'
import { ObservedRouting } from '../../platform/routes/observed-routing'
import { type RouteReader, systemRoutes } from '../../platform/routes/route-reader'
import {
  type StartOptions,
  type Tunnel,
  type TunnelBackend,
  type TunnelDetails,
  type TunnelEnd,
  TunnelFailure,
  type WireGuardTunnel,
  mayStillBeUp,
} from '../tunnel'
import {
  type Endpoint,
  type WireGuardConfiguration,
  parseConfiguration,
  printConfiguration,
} from './configuration'
import { Health } from './health'
import { ProxyGuard, proxyUnreachable } from './proxyguard'

/** WireGuard sends its first two handshakes at 0 and 5 s. */
const firstAnswerMs = 10_000
const pollMs = 5000
/** The time that a dead tunnel has to recover before it's taken down. */
const recoveryMs = 20_000
/** A server confirms data after 10 s, when the test of large packets has just ended. */
const confirmationMs = 3000
const smallMtu = 1280

export interface WireGuardOptions {
  readonly privilege: Pick<Privilege, 'findHelper' | 'wantsKillSwitch'>
  /** The authorities that may vouch for a ProxyGuard server. */
  readonly secureContext: () => Promise<SecureContext>
  /** Receives notices for the user that stop nothing. */
  readonly onNotice: (notice: ErrorReport) => void
  readonly run?: typeof runHelper
  readonly clock?: Clock
  /** Reads the routes of this computer; default: the system's. */
  readonly routes?: RouteReader
}

interface Clock {
  now(): number
  /** Calls back after this time, unless the returned function is called before. */
  after(milliseconds: number, work: () => void): () => void
}

const realClock: Clock = {
  now: Date.now,
  after: (milliseconds, work) => {
    const timer = setTimeout(work, milliseconds)
    return () => {
      clearTimeout(timer)
    }
  },
}

/** Creates the backend for WireGuard, which the helper sets up (docs/helper.md, "WireGuard"). */
export function createWireGuardBackend(options: WireGuardOptions): TunnelBackend<WireGuardTunnel> {
  const describe = ({ profile, transport }: WireGuardTunnel): string =>
    printConfiguration(parseConfiguration(profile, transport))
  return {
    start: (tunnel, how) => startWireGuard(options, tunnel, how),
    isOutdated: (held, current) => Promise.resolve().then(() => describe(held) !== describe(current)),
    describe: (tunnel) => Promise.resolve().then(() => describe(tunnel)),
  }
}

async function startWireGuard(
  options: WireGuardOptions,
  { profile, transport, privateKey }: WireGuardTunnel,
  { mode, onEvent }: StartOptions,
): Promise<Tunnel> {
  const { privilege, secureContext, run = runHelper, clock = realClock } = options
  // A handshake takes a device.
  if (mode === 'handshake-only') throw new CausewayError('wireguard/not-checked')
  const configuration = parseConfiguration(profile, transport)
  onEvent({ event: 'phase', phase: 'starting' })
  const killSwitch = await privilege.wantsKillSwitch()
  const helper = await privilege.findHelper()
  if (helper === undefined) throw new CausewayError('helper/not-installed')

  let session: Session | undefined
  let proxy:
    { readonly client: ProxyGuard; readonly server: Endpoint; readonly listenPort: number } | undefined
  if (configuration.proxy !== undefined) {
    const listenPort = await freeUdpPort()
    const client = await ProxyGuard.open({
      endpoint: configuration.proxy,
      listenPort,
      secureContext,
      onFailure: (error) => session?.fail(error),
    })
    const { hostname, port } = configuration.proxy
    proxy = {
      client,
      listenPort,
      server: { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) || 443 },
    }
  }
  try {
    const request = writeRequest(configuration, privateKey, proxy && { ...proxy, port: proxy.client.port })
    const early: (readonly [HelperMessage, string])[] = []
    const program = await run(
      {
        ...helper,
        onMessage: (message, text) => {
          helper.onMessage?.(message, text)
          if (session === undefined) early.push([message, text])
          else session.hear(message, text)
        },
      },
      { command: 'wireguard', configuration: request, killSwitch },
      failureOf(configuration),
    )
    const routing = new ObservedRouting(options.routes ?? (await systemRoutes(process.platform)), [
      proxy?.server.host ?? configuration.endpoint.host,
    ])
    session = new Session({
      routing,
      configuration,
      proxy: proxy?.client,
      program,
      request,
      clock,
      onEvent,
      options,
    })
    for (const [message, text] of early) session.hear(message, text)
    return session
  } catch (error) {
    proxy?.client.close()
    throw error
  }
}

interface SessionOptions {
  readonly routing: ObservedRouting
  readonly configuration: WireGuardConfiguration
  readonly proxy: ProxyGuard | undefined
  readonly program: HelperProgram
  /** Holds the private key; overwritten once the helper has read it. */
  readonly request: Buffer
  readonly clock: Clock
  readonly onEvent: StartOptions['onEvent']
  readonly options: Pick<WireGuardOptions, 'onNotice'>
}

/** One run of the helper, from its start to its end. */
class Session implements Tunnel {
  readonly ended: Promise<TunnelEnd>
  readonly #options: SessionOptions
  #isStopped = false
  #verdict: CausewayError | undefined
  /** What the helper said of its end. */
  #lost: 'process-ended' | 'device-gone' = 'process-ended'
  #device: string | undefined
  #remote: TunnelDetails['remote'] | undefined
  #hasIpv6 = true
  #dns: Promise<boolean> | undefined
  #handshakeAt: number | undefined
  /** There since the first handshake. */
  #health: Health | undefined
  #details: TunnelDetails | undefined
  #received = 0
  /** The bytes received when the test began, and what its answers have led to. */
  #test: { receivedBefore: number; step: 'first' | 'small' | 'counting' } | undefined
  /** What the tunnel carries, read since the helper has set the routes. */
  #routed: ReturnType<ObservedRouting['connected']> | undefined
  /** The readings of routes, one after another. */
  #reading: Promise<void> = Promise.resolve()
  #isRecovering = false
  #isPaused = false
  readonly #timers = new Map<'limit' | 'poll' | 'count', () => void>()

  constructor(options: SessionOptions) {
    this.#options = options
    const { host } = options.configuration.proxy
      ? { host: options.configuration.proxy.hostname }
      : options.configuration.endpoint
    if (isIP(host.replace(/^\[|\]$/g, '')) === 0) this.#tell({ event: 'phase', phase: 'resolving' })
    this.ended = this.#run()
  }

  async stop(): Promise<void> {
    if (!this.#isStopped && this.#verdict === undefined) this.#end()
    this.#isStopped = true
    await this.ended
  }

  pause(): void {
    this.#isPaused = true
    this.#stopTimers()
  }

  recover(): void {
    if (this.#details === undefined) return
    this.#isPaused = false
    this.#options.proxy?.redial()
    this.#health?.reset()
    this.#beginRecovery()
  }

  routesChanged(): void {
    this.#reading = this.#reading.then(async () => {
      const changed = await this.#options.routing.changed()
      if (changed === undefined || this.#details === undefined || this.#isStopped) return
      const details = { ...this.#withHandshake(this.#details), ...changed.carried }
      this.#tell({ event: 'routes', details, routes: changed.routes })
    })
  }

  /** Ends the tunnel with this error, unless it has another one. */
  fail(error: CausewayError): void {
    if (this.#verdict !== undefined || this.#isStopped) return
    this.#verdict = error
    this.#end()
  }

  /** Handles a message of the helper. */
  hear(message: HelperMessage, text: string): void {
    if (message.message !== 'handshake' || this.#health === undefined)
      this.#tell({ event: 'log', line: text })
    switch (message.message) {
      case 'remote':
        this.#onRemote(message)
        break
      case 'ipv6':
        this.#hasIpv6 = false
        break
      case 'started':
        this.#onStarted(message.device)
        break
      case 'handshake':
        this.#onHandshake(message)
        break
      case 'test':
        this.#onTest(message.outcome)
        break
      case 'mtu':
        if (this.#test?.step === 'small') this.#send('test')
        break
      case 'gone':
        this.#lost = 'device-gone'
        break
      // The client of the helper handles these, or the log alone shows them.
      case 'dns':
      case 'exited':
      case 'failed':
      case 'kill-switch':
      case 'killed':
      case 'refused':
      case 'repaired':
      case 'resolve':
      case 'unknown-command':
        break
    }
  }

  async #run(): Promise<TunnelEnd> {
    const { program, proxy, request } = this.#options
    await program.followLog((line) => {
      this.#tell({ event: 'log', line })
    })
    const { error } = await program.exited
    this.#stopTimers()
    proxy?.close()
    request.fill(0)
    if (error !== undefined && mayStillBeUp(error)) return { end: 'failed', error }
    if (this.#verdict !== undefined) return { end: 'failed', error: this.#verdict }
    if (this.#isStopped) return { end: 'stopped' }
    return { end: 'failed', error: error ?? stoppedUnexpectedly(this.#lost) }
  }

  #onRemote({ address, port }: Extract<HelperMessage, { message: 'remote' }>): void {
    const { configuration, proxy, routing } = this.#options
    const { host } = configuration.endpoint
    const protocol = proxy === undefined ? 'udp' : 'tcp'
    routing.contacting(address)
    proxy?.dial(address)
    if (this.#remote !== undefined && proxy !== undefined) return
    this.#remote = { address, port, protocol }
    if (this.#details === undefined)
      this.#tell({
        event: 'phase',
        phase: 'contacting',
        remote: { host: configuration.proxy?.hostname ?? host, port, protocol, address },
      })
    else this.#details = { ...this.#details, remote: this.#remote }
  }

  #onStarted(device: string): void {
    const { configuration, program, request, routing } = this.#options
    request.fill(0)
    this.#device = device
    // Reading them takes longer than a handshake.
    this.#routed = routing.connected(device)
    const { servers, domains } = configuration.dns
    // A tunnel that carries most traffic resolves all names; its domains complete short names.
    if (servers.length > 0)
      this.#dns = program.applyDns?.({
        servers,
        domains: carriesMost(configuration.allowed) ? ['.', ...domains] : domains,
      })
    if (this.#isPaused || this.#health !== undefined) return
    this.#setTimer('limit', firstAnswerMs, () => {
      const { proxy } = this.#options
      this.fail(proxy?.wasUp === false ? proxyUnreachable() : noAnswer('no-answer'))
    })
  }

  #onHandshake({ seconds, counters }: Extract<HelperMessage, { message: 'handshake' }>): void {
    if (seconds === undefined || counters === undefined) return
    const now = this.#options.clock.now()
    const sample = { now, age: seconds, ...counters }
    this.#received = counters.received
    const at = now - seconds * 1000
    if (this.#health === undefined) {
      this.#handshakeAt = at
      this.#health = new Health(sample, this.#options.configuration.keepalive)
      void this.#onFirstHandshake()
      return
    }
    // Its age is in whole seconds.
    const isNew = this.#handshakeAt === undefined || at > this.#handshakeAt + 1500
    if (isNew) this.#handshakeAt = at
    if (this.#details === undefined) return
    if (isNew && !this.#isRecovering) this.#tell({ event: 'handshake', at })
    const found = this.#health.add(sample)
    if (this.#test?.step === 'counting') this.#onCounted()
    if (found === 'answered') this.#onAnswer()
    else if (found !== 'quiet' && !this.#isRecovering && !this.#isPaused) {
      this.#beginRecovery()
      void this.#tellRestarting(found)
    }
  }

  async #tellRestarting(reason: ReconnectReason): Promise<void> {
    const routes = await this.#options.routing.left()
    // It may have recovered meanwhile.
    if (this.#isRecovering) this.#tell({ event: 'restarting', reason, handshakeFailed: false, routes })
  }

  async #onFirstHandshake(): Promise<void> {
    const { configuration, options } = this.#options
    this.#stopTimer('limit')
    this.#tell({ event: 'phase', phase: 'configuring' })
    // Until the name servers are set, queries would leave outside the tunnel.
    const applied = await this.#dns
    if (this.#remote === undefined || this.#verdict !== undefined || this.#isStopped) return
    const { servers, domains } = configuration.dns
    const [ipv4, ipv6] = [4, 6].map((family) =>
      configuration.addresses.map((each) => each.replace(/\/\d+$/, '')).find((each) => isIP(each) === family),
    )
    this.#details = {
      addresses: {
        ...(ipv4 !== undefined && { ipv4 }),
        ...(ipv6 !== undefined && this.#hasIpv6 && { ipv6 }),
      },
      remote: this.#remote,
      ...(this.#device !== undefined && { device: this.#device }),
      ...(applied !== undefined && { dns: { servers, domains, applied } }),
    }
    if (applied === false) options.onNotice(report('helper/dns-not-set'))
    await this.#tellConnected()
    this.#test = { receivedBefore: this.#received, step: 'first' }
    this.#send('test')
    this.#poll()
  }

  async #tellConnected(): Promise<void> {
    if (this.#details === undefined) return
    const { carried, mustBeChecked } = await (this.#routed ?? this.#options.routing.connected(this.#device))
    this.#routed = undefined
    this.#tell({ event: 'connected', details: { ...this.#withHandshake(this.#details), ...carried } })
    if (mustBeChecked) this.routesChanged()
  }

  #withHandshake(details: TunnelDetails): TunnelDetails {
    return { ...details, ...(this.#handshakeAt !== undefined && { handshakeAt: this.#handshakeAt }) }
  }

  #onTest(outcome: 'full' | 'small' | 'none'): void {
    if (this.#isRecovering && outcome !== 'none') this.#onAnswer()
    const test = this.#test
    if (test === undefined) return
    if (outcome === 'small' && test.step === 'first') {
      test.step = 'small'
      this.#send(`mtu ${String(smallMtu)}`)
    } else if (outcome === 'none') {
      // Some gateways answer no pings, but their servers confirm that they have got them.
      test.step = 'counting'
      this.#setTimer('count', confirmationMs, () => {
        this.#send('state')
      })
    } else this.#test = undefined
  }

  #onCounted(): void {
    const isBlocked = this.#received <= (this.#test?.receivedBefore ?? 0)
    this.#test = undefined
    if (isBlocked && !this.#isPaused)
      this.fail(new TunnelFailure({ failureClass: 'blocked', reason: 'no-answer' }, 'wireguard/blocked'))
  }

  /** Something came from the server. */
  #onAnswer(): void {
    if (!this.#isRecovering || this.#isPaused) return
    this.#isRecovering = false
    this.#stopTimer('limit')
    this.#health?.reset()
    void this.#tellConnected()
  }

  /** Looks the server up again, and pings through the tunnel, so that WireGuard makes a new handshake if it needs one. */
  #beginRecovery(): void {
    this.#isRecovering = true
    // A test of the first connection would take the other network for a blocked one.
    this.#test = undefined
    this.#stopTimer('count')
    this.#send('resolve')
    this.#send('test')
    this.#poll()
    this.#setTimer('limit', recoveryMs, () => {
      this.fail(noAnswer('no-answer'))
    })
  }

  #poll(): void {
    this.#setTimer('poll', pollMs, () => {
      this.#send('state')
      this.#poll()
    })
  }

  #send(command: string): void {
    this.#options.program.send(command)
  }

  #end(): void {
    this.#stopTimers()
    this.#options.program.end({ hasBegun: true })
  }

  #tell(event: Parameters<StartOptions['onEvent']>[0]): void {
    if (this.#verdict !== undefined && event.event !== 'log') return
    try {
      this.#options.onEvent(event)
    } catch (cause) {
      this.fail(new CausewayError('internal/unexpected', { cause }))
    }
  }

  #setTimer(name: 'limit' | 'poll' | 'count', milliseconds: number, work: () => void): void {
    this.#stopTimer(name)
    if (this.#isPaused) return
    this.#timers.set(name, this.#options.clock.after(milliseconds, work))
  }

  #stopTimer(name: 'limit' | 'poll' | 'count'): void {
    this.#timers.get(name)?.()
    this.#timers.delete(name)
  }

  #stopTimers(): void {
    for (const name of [...this.#timers.keys()]) this.#stopTimer(name)
  }
}

const families = ['0.0.0.0/0', '::/0'].flatMap((prefix) => prefixRange(prefix) ?? [])

/** Returns whether the networks are more than three quarters of all addresses of a family. */
function carriesMost(networks: readonly string[]): boolean {
  const ranges = networks.flatMap((network) => prefixRange(network) ?? [])
  return families.some((family) => {
    const united = prefixesOf(ranges.filter((range) => contains(family, range)))
    const size = united
      .flatMap((prefix) => prefixRange(prefix) ?? [])
      .reduce((sum, { first, last }) => sum + (last - first + 1n), 0n)
    return size * 4n > (family.last + 1n) * 3n
  })
}

/** Returns the lines for the helper, in a buffer that can be overwritten: a string with the key would stay in memory. */
function writeRequest(
  configuration: WireGuardConfiguration,
  privateKey: Buffer,
  proxy: { readonly server: Endpoint; readonly listenPort: number; readonly port: number } | undefined,
): Buffer {
  const { addresses, mtu, peer, allowed, endpoint, keepalive } = configuration
  const at = proxy === undefined ? endpoint : { host: '127.0.0.1', port: proxy.port }
  const lines = [
    ...addresses.map((address) => `address ${address}`),
    ...(mtu === undefined ? [] : [`mtu ${String(mtu)}`]),
    `peer ${peer}`,
    `endpoint ${at.host} ${String(at.port)}`,
    ...allowed.map((prefix) => `allowed ${prefix}`),
    `keepalive ${String(keepalive)}`,
    ...(proxy === undefined
      ? []
      : [
          `listen-port ${String(proxy.listenPort)}`,
          `proxy ${proxy.server.host} ${String(proxy.server.port)}`,
        ]),
    'private-key ',
  ].join('\n')
  const request = Buffer.alloc(Buffer.byteLength(lines) + Math.ceil(privateKey.length / 3) * 4 + 1, '\n')
  request.write(lines)
  writeBase64(privateKey, request, Buffer.byteLength(lines))
  return request
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

/** Writes base64 without a string in between, which could not be overwritten. */
export function writeBase64(bytes: Buffer, to: Buffer, offset: number): void {
  for (let index = 0; index < bytes.length; index += 3) {
    const [one = 0, two = 0, three = 0] = bytes.subarray(index, index + 3)
    const group = (one << 16) | (two << 8) | three
    for (let digit = 0; digit < 4; digit += 1) {
      const code =
        index * 8 + digit * 6 < bytes.length * 8 ? digits.charCodeAt((group >> (18 - 6 * digit)) & 63) : 61
      to[offset + (index / 3) * 4 + digit] = code
    }
  }
}

function noAnswer(reason: ReconnectReason): TunnelFailure {
  return new TunnelFailure({ failureClass: 'silent', reason }, 'wireguard/no-answer')
}

function stoppedUnexpectedly(reason: ReconnectReason): TunnelFailure {
  return new TunnelFailure({ failureClass: 'retry', reason }, 'wireguard/stopped-unexpectedly')
}

/** Returns a function that returns the error for a failure of the helper. */
function failureOf({ proxy }: WireGuardConfiguration): (failure: HelperFailure) => CausewayError {
  return (failure) => {
    switch (failure.message === 'failed' ? failure.reason : '') {
      case 'no-wireguard':
      case 'not-supported':
        return new CausewayError('wireguard/not-available')
      case 'wireguard-of-others':
        return new CausewayError('wireguard/not-available', { variant: 'of-others' })
      case 'unresolved':
        return new TunnelFailure(
          { failureClass: 'retry', reason: 'name-not-resolved' },
          'wireguard/name-not-resolved',
        )
      case 'endpoint':
        return new CausewayError('profile-configuration/invalid-argument', {
          variant: 'resolved',
          details: { directive: proxy === undefined ? 'Endpoint' : 'ProxyEndpoint' },
        })
      default:
        return helperError(failure)
    }
  }
}

/** Returns a port that is free now, for WireGuard, whose own port the ProxyGuard client has to know. */
async function freeUdpPort(): Promise<number> {
  const socket = createSocket('udp4')
  socket.bind(0)
  await once(socket, 'listening')
  const { port } = socket.address()
  socket.close()
  await once(socket, 'close')
  return port
}
