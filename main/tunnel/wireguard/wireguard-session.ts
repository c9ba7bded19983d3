import { isIP } from 'node:net'

import type { ReconnectReason, TunnelDetails } from '../../../contract/connection'
import { type CausewayError, report } from '../../errors'
import type { ObservedRouting } from '../../platform/routes/observed-routing'
import type { HelperMessage } from '../../privilege/helper-messages'
import { reasonAfterUp } from '../after-up'
import { ProgramTunnel } from '../program-tunnel'
import { TunnelFailure } from '../tunnel'
import { carriesMost } from './carries-most'
import type { DialPort } from './dial-port'
import { Health, type Sample } from './health'
import { TunnelMtu } from './tunnel-mtu'
import type { SessionOptions } from './session-options'
import { proxyUnreachable } from './proxyguard-errors'

/** WireGuard sends its first two handshakes at 0 and 5 s. */
const firstAnswerMs = 10_000
const pollMs = 5000
/** The time that a refused packet's successor has to be answered. */
const refusedMs = 2000
/**
 * The time that data has to be answered: a little less than two polls, so that it's 15 s after the loss at most with the poll
 * before it. A gateway that answers no pings, or has not answered the first ones yet, leaves only the confirmation of the server,
 * which comes after ten seconds.
 */
const silenceMs = { answering: 9000, silent: 14_000 }
/** The time that a dead tunnel has to recover before it's taken down. */
const recoveryMs = 20_000
/** A server confirms data after 10 s, when the test of large packets has just ended. */
const confirmationMs = 3000

type TimerName = 'limit' | 'poll' | 'count' | 'refused'

/** One run of the helper, from its start to its end. */
export class WireGuardSession extends ProgramTunnel {
  readonly #options: SessionOptions
  /** The helper's reason for its end. */
  #lost: 'process-ended' | 'device-gone' = 'process-ended'
  #device: string | undefined
  #remote: TunnelDetails['remote'] | undefined
  #hasIpv6 = true
  #dns: Promise<TunnelDetails['dns']> | undefined
  #handshakeAt: number | undefined
  /** There since the first handshake. */
  #health: Health | undefined
  /** The data received when the test of the first connection began, and whether it has to show that any passes. */
  #test: { readonly answeredBefore: number; isCounting: boolean } | undefined
  readonly #mtu: TunnelMtu
  /** What the tunnel carries, read since the helper has set the routes. */
  #routed: ReturnType<ObservedRouting['connected']> | undefined
  /** Those who wait for the answers to `dial`, in order. */
  readonly #dials: ((isPermitted: boolean) => void)[] = []
  /** Why the ProxyGuard client has had no connection since the tunnel is recovering. */
  #proxyError: CausewayError | undefined
  #isRecovering = false
  /** The next sample may count answers from before the trouble. */
  #isStale = false
  #isPaused = false
  readonly #timers = new Map<TimerName, () => void>()

  constructor(options: SessionOptions) {
    super(options)
    this.#options = options
    const { addresses, mtu } = options.configuration
    const send = (command: string): void => {
      this.#send(command)
    }
    this.#mtu = new TunnelMtu({ addresses, mtu, send })
    for (const line of options.configuration.notes) this.tell({ event: 'log', line })
    if (isIP(options.contacted.host) === 0) this.tell({ event: 'phase', phase: 'resolving' })
  }

  pause(): void {
    this.#isPaused = true
    this.close()
  }

  recover(): void {
    if (this.up === undefined) return
    this.#isPaused = false
    this.#options.proxy?.redial()
    this.#beginAnew()
    this.#mtu.inAnotherNetwork()
    this.#beginRecovery()
  }

  /** Has the helper let the ProxyGuard client connect to this address of the server, and to the one before no longer. */
  permitDial(address: string, from: DialPort): Promise<boolean> {
    return new Promise((resolve) => {
      this.#dials.push(resolve)
      this.#send(`dial ${address} ${String(from)}`)
    })
  }

  /** The ProxyGuard client dials again after an answer that a sign-in page, or a proxy that is being reloaded, may give. */
  onProxyTrouble(error: CausewayError): void {
    if (this.up === undefined || this.#isPaused) return
    this.#proxyError = error
    if (!this.#isRecovering) this.#onTrouble(reasonAfterUp(error) ?? 'other')
  }

  override onMessage(message: HelperMessage, text: string): void {
    super.onMessage(message, text)
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
      case 'dial':
        this.#dials.shift()?.(message.outcome === 'permitted')
        break
      case 'mtu':
        this.#mtu.changed()
        break
      case 'route-kept':
        this.parts.onNotice(report('wireguard/route-not-set', { details: { network: message.network } }))
        break
      case 'gone':
        this.#lost = 'device-gone'
        break
      // The client of the helper handles these, or the log alone shows them.
      case 'app':
      case 'dns':
      case 'exited':
      case 'failed':
      case 'kill-switch':
      case 'killed':
      case 'local-network':
      case 'refused':
      case 'repaired':
      case 'problem':
      case 'dns-way':
      case 'next':
      case 'permitted':
      case 'resolve':
      case 'unknown-command':
        break
    }
  }

  protected override belongsToLog(message: HelperMessage): boolean {
    return message.message !== 'handshake' || this.#health === undefined
  }

  protected onLine(line: string): void {
    this.tell({ event: 'log', line })
    if (refusedLine.test(line)) this.#onRefused()
  }

  protected close(): void {
    for (const stop of this.#timers.values()) stop()
    this.#timers.clear()
  }

  protected override release(): void {
    this.#options.proxy?.close()
    for (const answer of this.#dials.splice(0)) answer(false)
    this.#options.request.fill(0)
  }

  protected failureAtExit(): CausewayError {
    return new TunnelFailure({ failureClass: 'retry', reason: this.#lost }, 'wireguard/stopped-unexpectedly')
  }

  #onRemote({ address, port }: Extract<HelperMessage, { message: 'remote' }>): void {
    const { contacted, proxy } = this.#options
    const protocol = proxy === undefined ? 'udp' : 'tcp'
    this.parts.routing?.contacting(address)
    proxy?.dial(address)
    if (this.#remote !== undefined && proxy !== undefined) return
    this.#remote = { address, port, protocol }
    if (this.up === undefined)
      this.tell({
        event: 'phase',
        phase: 'contacting',
        remote: { host: contacted.host, port, protocol, address },
      })
    else this.up = { ...this.up, remote: this.#remote }
  }

  #onStarted(device: string): void {
    const { configuration, request } = this.#options
    request.fill(0)
    this.#device = device
    void this.#options.proxy?.allAdded()
    // Reading them takes longer than a handshake.
    this.#routed = this.#readRoutes()
    if (configuration.dns.servers.length > 0)
      this.#dns = this.setNameServers(configuration.dns, carriesMost(configuration.allowed))
    if (this.#isPaused || this.#health !== undefined) return
    this.#setTimer('limit', firstAnswerMs, () => {
      const { proxy } = this.#options
      this.fail(proxy?.wasUp === false ? proxyUnreachable() : noAnswer())
    })
  }

  #onHandshake({ seconds, counters }: Extract<HelperMessage, { message: 'handshake' }>): void {
    if (seconds === undefined || counters === undefined) return
    const now = this.#options.clock.now()
    const sample = { now, age: seconds, ...counters }
    const at = now - seconds * 1000
    if (this.#health === undefined) {
      this.#handshakeAt = at
      this.#health = new Health(sample, this.#options.configuration.keepalive)
      this.#mtu.add(sample)
      void this.#onFirstHandshake()
      return
    }
    // Its age is in whole seconds.
    const isNew = this.#handshakeAt === undefined || at > this.#handshakeAt + 1500
    if (isNew) this.#handshakeAt = at
    if (this.up === undefined) return
    this.up = { ...this.up, handshakeAt: this.#handshakeAt }
    if (isNew && !this.#isRecovering) this.tell({ event: 'handshake', at })
    this.#judge(this.#health, sample)
  }

  #judge(health: Health, sample: Sample): void {
    if (this.#isStale) {
      this.#isStale = false
      health.add(sample, Infinity)
      health.reset()
      return
    }
    const found = health.add(sample, silenceMs[this.#mtu.gatewayAnswers === true ? 'answering' : 'silent'])
    if (this.#test?.isCounting === true) this.#onCounted()
    if (found === 'answered') this.#onAnswer()
    this.#mtu.add(sample)
    if (this.#isPaused) return
    if (this.#isRecovering) this.#goOnRecovering()
    else if (sample.hasNoWay === true) this.#onTrouble('unreachable')
    else if (found === 'doubtful') this.#send('test')
    else if (found === 'no-answer' || found === 'handshake-too-old') this.#onTrouble(found)
  }

  #onTrouble(reason: ReconnectReason): void {
    this.#beginRecovery()
    void this.#tellRestarting(reason)
  }

  /** The system refuses packets to the server. One may be lost by chance, so another one has to be answered. */
  #onRefused(): void {
    const before = this.#health?.answered
    if (before === undefined || this.up === undefined || this.#isRecovering || this.#timers.has('refused'))
      return
    this.#send('test')
    this.#setTimer('refused', refusedMs, () => {
      this.#stopTimer('refused')
      if (this.#isRecovering || this.#health?.answered !== before) return
      this.#beginAnew()
      this.#onTrouble('unreachable')
    })
  }

  /** Lets only later answers count. */
  #beginAnew(): void {
    this.#isStale = true
    this.#send('state')
  }

  async #tellRestarting(reason: ReconnectReason): Promise<void> {
    const routes = (await this.parts.routing?.remainingRoutes()) ?? 'gone'
    // It may have recovered meanwhile.
    if (this.#isRecovering) this.tell({ event: 'restarting', reason, handshakeFailed: false, routes })
  }

  async #onFirstHandshake(): Promise<void> {
    const { addresses } = this.#options.configuration
    this.#stopTimer('limit')
    this.tell({ event: 'phase', phase: 'configuring' })
    // Until the name servers are set, queries would leave outside the tunnel.
    const dns = await this.#dns
    if (this.#remote === undefined || this.isOver) return
    this.#remote = { ...this.#remote, address: this.#options.proxy?.dialled ?? this.#remote.address }
    this.#options.onAnswered(this.#remote.address)
    const addressOf = (family: 4 | 6) =>
      addresses.map((each) => each.replace(/\/\d+$/, '')).find((each) => isIP(each) === family)
    await this.#tellConnected({
      addresses: { ipv4: addressOf(4), ipv6: this.#hasIpv6 ? addressOf(6) : undefined },
      remote: this.#remote,
      device: this.#device,
      dns,
    })
    this.#watch()
  }

  /** Tests whether anything passes through the tunnel that is up, and asks for the counters from now on. */
  #watch(): void {
    if (this.isOver) return
    if (this.#mtu.gatewayAnswers !== false) {
      this.#test = { answeredBefore: this.#health?.answered ?? 0, isCounting: false }
      this.#send('test')
    }
    this.#poll()
  }

  async #tellConnected(first?: TunnelDetails): Promise<void> {
    const routed = await (this.#routed ?? this.#readRoutes())
    this.#routed = undefined
    const details = first ?? this.up
    if (details !== undefined) this.tellUp({ ...details, handshakeAt: this.#handshakeAt }, routed)
  }

  #readRoutes(): ReturnType<ObservedRouting['connected']> | undefined {
    const { dns, allowed } = this.#options.configuration
    return this.parts.routing?.connected(this.#device, dns.servers, allowed)
  }

  #onTest(outcome: 'full' | 'small' | 'none'): void {
    this.#mtu.tested(outcome)
    if (outcome !== 'none') {
      this.#stopTimer('refused')
      this.#test = undefined
      this.#onAnswer()
      return
    }
    if (this.#test === undefined) return
    // Some gateways answer no pings, but their servers confirm that they have got them.
    this.#test.isCounting = true
    this.#setTimer('count', confirmationMs, () => {
      this.#send('state')
    })
  }

  #onCounted(): void {
    const isBlocked = (this.#health?.answered ?? 0) <= (this.#test?.answeredBefore ?? 0)
    this.#test = undefined
    if (isBlocked && !this.#isPaused)
      this.fail(new TunnelFailure({ failureClass: 'blocked', reason: 'no-answer' }, 'wireguard/blocked'))
  }

  /** Something came from the server. */
  #onAnswer(): void {
    if (!this.#isRecovering || this.#isPaused) return
    this.#isRecovering = false
    this.#proxyError = undefined
    this.#stopTimer('limit')
    this.#health?.reset()
    if (this.#remote !== undefined) this.#options.onAnswered(this.#remote.address)
    void this.#tellConnected()
  }

  /** Looks the server up again, and pings through the tunnel, so that WireGuard makes a new handshake if it needs one. */
  #beginRecovery(): void {
    this.#isRecovering = true
    // A test of the first connection would take the other network for a blocked one.
    this.#test = undefined
    this.#stopTimer('count')
    this.#stopTimer('refused')
    this.#send('resolve')
    this.#send('test')
    this.#poll()
    this.#setTimer('limit', recoveryMs, () => {
      this.fail(this.#proxyError ?? noAnswer())
    })
  }

  /** Tries the server's other addresses in turn: one of them, or a whole family, may not work any more. */
  #goOnRecovering(): void {
    this.#send('next')
    this.#send('test')
  }

  #poll(): void {
    this.#setTimer('poll', pollMs, () => {
      this.#send('state')
      this.#poll()
    })
  }

  #send(command: string): void {
    this.parts.program.send?.(command)
  }

  #setTimer(name: TimerName, milliseconds: number, work: () => void): void {
    this.#stopTimer(name)
    if (this.#isPaused) return
    this.#timers.set(name, this.#options.clock.after(milliseconds, work))
  }

  #stopTimer(name: TimerName): void {
    this.#timers.get(name)?.()
    this.#timers.delete(name)
  }
}

/** What the program for WireGuard in user space says if the system refuses a packet to the server. */
const refusedLine = /\bFailed to send (?:data packets|handshake (?:initiation|response)): /

function noAnswer(): TunnelFailure {
  return new TunnelFailure({ failureClass: 'silent', reason: 'no-answer' }, 'wireguard/no-answer')
}
