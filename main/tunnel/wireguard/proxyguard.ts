import { type Socket as UdpSocket, createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type Socket, connect, isIP } from 'node:net'
import { type ConnectionOptions, type SecureContext, type TLSSocket, connect as connectTls } from 'node:tls'

import { CausewayError } from '../../errors'
import type { Proxy } from '../../platform/http/proxies'
import { endpointOf } from '../../platform/http/dial'
import { networkFailure } from '../../platform/http/failure'
import { retryAfterMs } from '../../platform/http/retrying-http'
import { throughProxy } from '../../platform/http/through-proxy'
import { reasonAfterUp } from '../after-up'
import { realClock } from './clock'
import { isOwnProxy } from './contacted'
import { type DialPort, DialPorts, freeDialPort } from './dial-port'
import { isPortTaken, noAnswer, refusal } from './proxyguard-errors'
import type { ProxyGuardOptions } from './proxyguard-options'
import { answerProblem, framed, isTemporary, readFrames, upgradeRequest } from './proxyguard-wire'

const maxHeadBytes = 8192
/** Datagrams that wait for the connection: WireGuard sends few before its handshake is answered. */
const maxWaiting = 16
/** Data that TCP hasn't sent yet. Beyond it, datagrams are dropped as on a full link over UDP. */
const maxUnsentBytes = 256 * 1024
const dialLimitMs = 10_000
/** The time for each step of a connection to one of several addresses, in the first round. */
const turnMs = 2500
/** WireGuard makes a new handshake more often than that while there is traffic. */
const silenceLimitMs = 60_000
const pausesMs = [1000, 2000, 4000, 8000, 10_000]

/**
 * Carries WireGuard's datagrams over TLS to a ProxyGuard server (UoTLV/1): each with its length before it, in two bytes.
 * After a lost connection it dials again when there is the next datagram, and waits longer each time.
 */
export class ProxyGuard {
  readonly #options: ProxyGuardOptions
  readonly #udp: UdpSocket
  readonly #after: NonNullable<ProxyGuardOptions['after']>
  /** The addresses to contact, which are looked up before routes change; the next one is tried after a failure. */
  #addresses: string[] = []
  readonly #resolved = new Set<string>()
  #checked: Promise<void> = Promise.resolve()
  readonly #ports: DialPorts
  /** What the helper lets past the tunnel: from the start, the first address that it has said. */
  #permitted: { readonly address: string; readonly from: DialPort } | undefined
  #dialled: string | undefined
  #waiting: Buffer[] = []
  #socket: Socket | undefined
  /** Changes with each connection, so that what was begun for an earlier one ends. */
  #attempt = 0
  #state: 'idle' | 'pausing' | 'dialling' | 'up' | 'closed' = 'idle'
  #failures = 0
  /** The time that the server wants to pass before the next connection. */
  #atLeastMs = 0
  #stopTimer: () => void = () => undefined
  #wasUp = false

  private constructor(options: ProxyGuardOptions, udp: UdpSocket, ports: DialPorts) {
    this.#options = options
    this.#ports = ports
    this.#udp = udp
    this.#after = options.after ?? ((milliseconds, work) => realClock.after(milliseconds, work))
    udp.on('message', (datagram, { address, port }) => {
      // Other programs of this computer reach the socket, too.
      if (address === '127.0.0.1' && port === options.listenPort) this.#forward(datagram)
    })
    // An answer that nobody takes, because WireGuard has just ended.
    udp.on('error', () => undefined)
  }

  /** Opens the socket for WireGuard; nothing is sent to the server before `dial`. */
  static async open(options: ProxyGuardOptions): Promise<ProxyGuard> {
    const udp = createSocket('udp4')
    udp.bind(0, '127.0.0.1')
    await once(udp, 'listening')
    const { via } = options
    const first = via !== undefined && isOwnProxy(via) ? 'any' : await freeDialPort()
    return new ProxyGuard(options, udp, new DialPorts(first))
  }

  /** The port on 127.0.0.1 for WireGuard's endpoint. */
  get port(): number {
    return this.#udp.address().port
  }

  /** The port of the next connection; the helper permits the first one from the start. */
  get from(): DialPort {
    return this.#ports.current
  }

  /** The address that was dialled last. */
  get dialled(): string | undefined {
    return this.#dialled
  }

  /** True once the server has accepted a connection. */
  get wasUp(): boolean {
    return this.#wasUp
  }

  /** Adds an address of what `contactedFor` returns, if the service may name it; dials if it's the first one. */
  dial(address: string): void {
    if (this.#state === 'closed' || this.#resolved.has(address)) return
    this.#resolved.add(address)
    this.#permitted ??= { address, from: this.from }
    const { via } = this.#options
    // The person or the administrator of this computer has named a proxy.
    const allowed =
      via === undefined || isOwnProxy(via) ? this.#options.mayReach(address) : Promise.resolve(true)
    this.#checked = Promise.all([allowed, this.#checked]).then(([isAllowed]) => {
      if (!isAllowed || this.#isClosed()) return
      this.#addresses.push(address)
      if (this.#addresses.length === 1) void this.#dial()
    })
  }

  /** Called when all addresses have been added: fails if the service may name none of them. */
  async allAdded(): Promise<void> {
    await this.#checked
    if (this.#addresses.length > 0) return
    this.#fail(new CausewayError('http/private-address', { details: { host: this.#options.endpoint.host } }))
  }

  /** Connects again now, because the network has changed. */
  redial(): void {
    if (this.#state === 'closed' || this.#addresses.length === 0) return
    this.#drop()
    this.#failures = 0
    this.#atLeastMs = 0
    void this.#dial()
  }

  close(): void {
    if (this.#state === 'closed') return
    this.#drop()
    this.#state = 'closed'
    this.#waiting = []
    this.#udp.close()
  }

  /** Sends a datagram to the server, or keeps it until there is a connection. */
  #forward(datagram: Buffer): void {
    if (this.#state === 'up' && this.#socket !== undefined) {
      if (this.#socket.writableLength <= maxUnsentBytes) this.#socket.write(framed(datagram))
      return
    }
    this.#waiting.push(datagram)
    if (this.#waiting.length > maxWaiting) this.#waiting.shift()
    if (this.#state !== 'idle' || this.#addresses.length === 0) return
    const { round, isFirst } = this.#turn()
    const pause = Math.max(
      (isFirst ? pausesMs[Math.min(round, pausesMs.length) - 1] : 0) ?? 0,
      this.#atLeastMs,
    )
    if (pause === 0) {
      void this.#dial()
      return
    }
    this.#state = 'pausing'
    this.#setTimer(pause, () => void this.#dial())
  }

  /** The address to try, and the number of rounds through all of them that have failed. */
  #turn(): { readonly address: string; readonly round: number; readonly isFirst: boolean } {
    const { length } = this.#addresses
    const index = this.#failures % length
    return {
      address: this.#addresses[index] ?? '',
      round: Math.floor(this.#failures / length),
      isFirst: index === 0,
    }
  }

  async #dial(): Promise<void> {
    this.#state = 'dialling'
    const attempt = this.#attempt
    const isCurrent = () => this.#attempt === attempt
    const { address } = this.#turn()
    try {
      const secureContext = await this.#options.secureContext()
      if (!isCurrent()) return
      const isPermitted = await this.#isPermitted(address)
      if (!isCurrent()) return
      if (!isPermitted) {
        this.#lost()
        return
      }
      this.#dialled = address
      const { endpoint, via } = this.#options
      const { host, port } = endpointOf(endpoint)
      const way = await (via === undefined
        ? this.#connect(address, port)
        : this.#through(via, address, secureContext, isCurrent))
      if (!isCurrent()) {
        way.destroy()
        return
      }
      const socket = connectTls({ socket: way, ...checking(host, secureContext), minVersion: 'TLSv1.3' })
      this.#keep(socket)
      this.#follow(socket)
    } catch (error) {
      if (!isCurrent()) return
      if (!(error instanceof CausewayError)) this.#onError(error)
      else if (error.variant === 'proxy-unreachable' || isTemporary(error.details?.status)) this.#lost()
      else this.#giveUp(error)
    }
  }

  /** Has the helper permit another address, or another port. */
  async #isPermitted(address: string): Promise<boolean> {
    const from = await this.#ports.next()
    if (this.#permitted?.address === address && this.#permitted.from === from) return true
    if (!(await this.#options.permit(address, from))) return false
    this.#permitted = { address, from }
    return true
  }

  /** Connects from the port that the helper permits. */
  async #connect(host: string, port: number): Promise<Socket> {
    const from = this.#ports.current
    const socket = connect({ host, port, ...(from !== 'any' && { localPort: from }) })
    this.#keep(socket)
    try {
      await once(socket, 'connect')
      this.#ports.use()
    } catch (error) {
      if (isPortTaken(error)) this.#ports.giveUp()
      throw error
    }
    return socket
  }

  /** Connects to the server through the proxy at the address; a proxy on this computer gets the address of the server. */
  async #through(
    via: Proxy,
    address: string,
    secureContext: SecureContext,
    isCurrent: () => boolean,
  ): Promise<Socket> {
    const server = new URL(this.#options.endpoint)
    const isOwn = isOwnProxy(via)
    if (isOwn) server.hostname = isIP(address) === 6 ? `[${address}]` : address
    return throughProxy(via, server, async () => {
      const socket = await this.#connect(isOwn ? via.host : address, via.port)
      if (via.protocol === 'http:') return socket
      const secured = connectTls({ socket, ...checking(via.host, secureContext) })
      if (isCurrent()) this.#keep(secured)
      await once(secured, 'secureConnect')
      return secured
    })
  }

  /** Keeps the connection for `#drop`, with a time limit for its next step. */
  #keep(socket: Socket): void {
    this.#socket = socket
    socket.setNoDelay(true)
    // Whoever waits for the connection gets its error; nobody does once there is another one.
    socket.on('error', () => undefined)
    const limit = Math.min(turnMs * 2 ** this.#turn().round, dialLimitMs)
    this.#setTimer(limit, () => {
      if (this.#addresses.length > 1) socket.destroy(noAnswer())
      else this.#setTimer(dialLimitMs - limit, () => socket.destroy(noAnswer()))
    })
  }

  #follow(socket: TLSSocket): void {
    let received: Buffer = Buffer.alloc(0)
    const isCurrent = () => this.#socket === socket
    socket.on('secureConnect', () => {
      // A shared context may allow more.
      if (socket.getProtocol() === 'TLSv1.3') socket.write(upgradeRequest(this.#options.endpoint))
      else this.#giveUp(refusal('proxyguard/untrusted', { reason: String(socket.getProtocol()) }))
    })
    socket.on('data', (chunk: Buffer) => {
      if (!isCurrent()) return
      received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
      if (this.#state === 'dialling') {
        const rest = this.#readAnswer(received)
        if (rest === undefined) return
        received = rest
      }
      if (!isCurrent()) return
      this.#setTimer(silenceLimitMs, () => socket.destroy())
      const rest = readFrames(received, (datagram) => {
        this.#udp.send(datagram, this.#options.listenPort, '127.0.0.1')
      })
      if (rest === undefined) socket.destroy()
      else received = rest
    })
    socket.on('error', (error: Error) => {
      if (isCurrent()) this.#onError(error)
    })
    socket.on('close', () => {
      if (isCurrent()) this.#lost()
    })
    socket.on('end', () => socket.destroy())
  }

  /** Returns what follows the server's answer, once it's complete and accepts the protocol. */
  #readAnswer(received: Buffer): Buffer | undefined {
    const end = received.indexOf('\r\n\r\n')
    if (end < 0) {
      if (received.length > maxHeadBytes) this.#giveUp(refusal('proxyguard/refused', { reason: 'no-http' }))
      return undefined
    }
    const problem = answerProblem(received.subarray(0, end).toString('latin1'), Date.now())
    if (problem !== undefined) {
      this.#giveUp(refusal('proxyguard/refused', { ...problem }), isTemporary(problem.status))
      return undefined
    }
    this.#state = 'up'
    // The address that works is the first one the next time.
    this.#addresses.unshift(...this.#addresses.splice(this.#failures % this.#addresses.length, 1))
    this.#failures = 0
    this.#atLeastMs = 0
    this.#wasUp = true
    for (const datagram of this.#waiting.splice(0)) this.#forward(datagram)
    return received.subarray(end + 4)
  }

  /** Takes an error without a code of Causeway's: of the connection, of TLS, or a defect, which no server is blamed for. */
  #onError(cause: unknown): void {
    const failure = networkFailure(cause, this.#options.endpoint, 'headers')
    if (failure === undefined) this.#giveUp(new CausewayError('internal/unexpected', { cause }))
    else if (failure.code === 'http/tls-failed' || failure.code === 'http/tls-too-old')
      this.#giveUp(refusal('proxyguard/untrusted', { reason: failure.details?.tlsCode }))
    else this.#lost()
  }

  #lost(): void {
    this.#drop()
    this.#failures += 1
    this.#state = 'idle'
    const next = this.#waiting.pop()
    if (next !== undefined) this.#forward(next)
  }

  /**
   * Ends the client, unless the error is temporary: once the server has accepted a connection, it is what a sign-in page or a
   * proxy that is being reloaded answers in its place.
   */
  #giveUp(error: CausewayError, isTemporaryAtFirst = false): void {
    if (this.#isClosed()) return
    if (!isTemporaryAtFirst && !(this.#wasUp && reasonAfterUp(error) !== undefined)) {
      this.#fail(error)
      return
    }
    this.#atLeastMs = retryAfterMs(error)
    this.#lost()
    if (this.#wasUp) this.#options.onTrouble(error)
  }

  #fail(error: CausewayError): void {
    if (this.#isClosed()) return
    this.close()
    this.#options.onFailure(error)
  }

  #drop(): void {
    this.#attempt += 1
    this.#stopTimer()
    const socket = this.#socket
    this.#socket = undefined
    socket?.destroy()
  }

  #setTimer(milliseconds: number, work: () => void): void {
    this.#stopTimer()
    this.#stopTimer = this.#after(milliseconds, work)
  }

  #isClosed(): boolean {
    return this.#state === 'closed'
  }
}

/** Returns what checks the certificate of a server for its name; an address is no name for SNI. */
function checking(host: string, secureContext: SecureContext): ConnectionOptions {
  return {
    secureContext,
    rejectUnauthorized: true,
    ALPNProtocols: ['http/1.1'],
    ...(isIP(host) === 0 ? { servername: host } : { host }),
  }
}
