import { type Socket as UdpSocket, createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type Socket, connect, isIP } from 'node:net'
import { type ConnectionOptions, type SecureContext, type TLSSocket, connect as connectTls } from 'node:tls'

import type { ErrorCode } from '../../../contract/error-codes'
import { isLoopbackHost } from '../../../contract/safe-url'
import { CausewayError } from '../../errors'
import type { Proxy } from '../../platform/http/proxies'
import { endpointOf } from '../../platform/http/dial'
import { throughProxy } from '../../platform/http/through-proxy'
import { TunnelFailure } from '../tunnel'
import type { Endpoint } from './configuration'

/** The longest datagram that fits into UDP over IPv4. */
const maxDatagram = 65_507
const maxHeadBytes = 8192
/** Datagrams that wait for the connection: WireGuard sends few before its handshake is answered. */
const maxWaiting = 16
/** Data that TCP hasn't sent yet. Beyond it, datagrams are dropped as on a full link over UDP. */
const maxUnsentBytes = 256 * 1024
const dialLimitMs = 10_000
/** WireGuard makes a new handshake more often than that while there is traffic. */
const silenceLimitMs = 60_000
const pausesMs = [1000, 2000, 4000, 8000, 10_000]

export interface ProxyGuardOptions {
  /** The address of the ProxyGuard server: https. */
  readonly endpoint: URL
  /** The proxy of this network on the way to the server; undefined for none. */
  readonly via: Proxy | undefined
  /** WireGuard's own port on this computer, the only one whose datagrams are forwarded. */
  readonly listenPort: number
  /** The authorities that may vouch for the server. */
  readonly secureContext: () => Promise<SecureContext>
  /** Called once with a final error; the client is closed by then. */
  readonly onFailure: (error: CausewayError) => void
  /** Calls back after this time, unless the returned function is called before. */
  readonly after?: (milliseconds: number, work: () => void) => () => void
}

/**
 * Returns what is contacted on the network, for the kill switch and the routes: the proxy, or the server. A proxy on this
 * computer contacts the server from here.
 */
export function contactedFor(server: Endpoint, via: Proxy | undefined): Endpoint {
  return via === undefined || isOwnProxy(via) ? server : { host: via.host, port: via.port }
}

function isOwnProxy({ host }: Proxy): boolean {
  return isLoopbackHost(isIP(host) === 6 ? `[${host}]` : host)
}

/**
 * Carries WireGuard's datagrams over TLS to a ProxyGuard server (UoTLV/1): each with its length before it, in two bytes.
 * After a lost connection it dials again when there is the next datagram, and waits longer each time.
 */
export class ProxyGuard {
  readonly #options: ProxyGuardOptions
  readonly #udp: UdpSocket
  readonly #after: NonNullable<ProxyGuardOptions['after']>
  /** The addresses to contact, which are looked up before routes change; the next one is tried after a failure. */
  readonly #addresses: string[] = []
  #waiting: Buffer[] = []
  #socket: Socket | undefined
  /** Changes with each connection, so that what was begun for an earlier one ends. */
  #attempt = 0
  #state: 'idle' | 'pausing' | 'dialling' | 'up' | 'closed' = 'idle'
  #failures = 0
  #stopTimer: () => void = () => undefined
  #wasUp = false

  private constructor(options: ProxyGuardOptions, udp: UdpSocket) {
    this.#options = options
    this.#udp = udp
    this.#after = options.after ?? afterRealTime
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
    return new ProxyGuard(options, udp)
  }

  /** The port on 127.0.0.1 for WireGuard's endpoint. */
  get port(): number {
    return this.#udp.address().port
  }

  /** True once the server has accepted a connection. */
  get wasUp(): boolean {
    return this.#wasUp
  }

  /** Adds an address of what `contactedFor` returns; dials if it's the first one. */
  dial(address: string): void {
    if (this.#state === 'closed' || this.#addresses.includes(address)) return
    this.#addresses.push(address)
    if (this.#addresses.length === 1) void this.#dial()
  }

  /** Connects again now, because the network has changed. */
  redial(): void {
    if (this.#state === 'closed' || this.#addresses.length === 0) return
    this.#drop()
    this.#failures = 0
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
    this.#state = 'pausing'
    const pause = pausesMs[Math.min(this.#failures, pausesMs.length) - 1]
    this.#setTimer(pause ?? 0, () => void this.#dial())
  }

  async #dial(): Promise<void> {
    this.#state = 'dialling'
    const attempt = this.#attempt
    const isCurrent = () => this.#attempt === attempt
    try {
      const secureContext = await this.#options.secureContext()
      if (!isCurrent()) return
      const { endpoint, via } = this.#options
      const { host, port } = endpointOf(endpoint)
      const address = this.#addresses[this.#failures % this.#addresses.length] ?? host
      const way =
        via === undefined
          ? { host: address, port }
          : { socket: await this.#through(via, address, secureContext, isCurrent) }
      if (!isCurrent()) {
        way.socket?.destroy()
        return
      }
      const socket = connectTls({ ...way, ...checking(host, secureContext), minVersion: 'TLSv1.3' })
      this.#keep(socket)
      this.#follow(socket)
    } catch (error) {
      if (!isCurrent()) return
      if (!(error instanceof CausewayError)) {
        // The authorities can't be read, so no server can be trusted.
        this.#fail(refusal('proxyguard/untrusted', { reason: 'authorities' }))
      } else if (error.variant === 'proxy-unreachable' || isTemporary(error.details?.status)) this.#lost()
      else this.#fail(error)
    }
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
      const socket = connect({ host: isOwn ? via.host : address, port: via.port })
      this.#keep(socket)
      await once(socket, 'connect')
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
    this.#setTimer(dialLimitMs, () =>
      socket.destroy(Object.assign(new Error('No answer in time'), { code: 'ETIMEDOUT' })),
    )
  }

  #follow(socket: TLSSocket): void {
    let received: Buffer = Buffer.alloc(0)
    const isCurrent = () => this.#socket === socket
    socket.on('secureConnect', () => {
      // A shared context may allow more.
      if (socket.getProtocol() === 'TLSv1.3') socket.write(upgradeRequest(this.#options.endpoint))
      else this.#fail(refusal('proxyguard/untrusted', { reason: String(socket.getProtocol()) }))
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
      if (isCurrent() && !isConnectionError(error))
        this.#fail(refusal('proxyguard/untrusted', reasonOf(error)))
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
      if (received.length > maxHeadBytes) this.#fail(refusal('proxyguard/refused', { reason: 'no-http' }))
      return undefined
    }
    const problem = answerProblem(received.subarray(0, end).toString('latin1'))
    if (problem === 'retry') this.#socket?.destroy()
    else if (problem !== undefined) this.#fail(refusal('proxyguard/refused', problem))
    if (problem !== undefined) return undefined
    this.#state = 'up'
    this.#failures = 0
    this.#wasUp = true
    for (const datagram of this.#waiting.splice(0)) this.#forward(datagram)
    return received.subarray(end + 4)
  }

  #lost(): void {
    this.#drop()
    this.#failures += 1
    this.#state = 'idle'
    const next = this.#waiting.pop()
    if (next !== undefined) this.#forward(next)
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

function afterRealTime(milliseconds: number, work: () => void): () => void {
  const timer = setTimeout(work, milliseconds)
  return () => {
    clearTimeout(timer)
  }
}

function upgradeRequest({ pathname, search, host }: URL): string {
  return `GET ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: UoTLV/1\r\n\r\n`
}

/** Returns what is wrong with the head of an answer; `retry` for a proxy whose server behind it is down. */
function answerProblem(
  head: string,
): 'retry' | { readonly status?: number; readonly reason?: string } | undefined {
  const [first = '', ...lines] = head.split('\r\n')
  const digits = /^HTTP\/1\.[01] (\d{3})(?: |$)/.exec(first)?.[1]
  if (digits === undefined) return { reason: 'no-http' }
  const status = Number(digits)
  if (isTemporary(status)) return 'retry'
  if (status !== 101) return { status }
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [
        line.slice(0, colon).toLowerCase(),
        line
          .slice(colon + 1)
          .trim()
          .toLowerCase(),
      ] as const
    }),
  )
  const upgrades = headers.get('connection') === 'upgrade' && headers.get('upgrade') === 'uotlv/1'
  return upgrades ? undefined : { status, reason: 'headers' }
}

/** Returns true for the status of a proxy whose server behind it is down. */
function isTemporary(status: unknown): boolean {
  return status === 502 || status === 503 || status === 504
}

/** Returns what checks the certificate of a server for its name; an address is no name for SNI. */
function checking(host: string, secureContext: SecureContext): ConnectionOptions {
  return {
    secureContext,
    ALPNProtocols: ['http/1.1'],
    ...(isIP(host) === 0 ? { servername: host } : { host }),
  }
}

function framed(datagram: Buffer): Buffer {
  const frame = Buffer.allocUnsafe(2 + datagram.length)
  frame.writeUInt16BE(datagram.length)
  datagram.copy(frame, 2)
  return frame
}

/** Passes on the complete datagrams and returns the rest, which is less than one; undefined if a length is impossible. */
function readFrames(received: Buffer, onDatagram: (datagram: Buffer) => void): Buffer | undefined {
  let rest = received
  while (rest.length >= 2) {
    const length = rest.readUInt16BE()
    if (length > maxDatagram) return undefined
    if (rest.length < 2 + length) break
    if (length > 0) onDatagram(rest.subarray(2, 2 + length))
    rest = rest.subarray(2 + length)
  }
  // A copy, so that a small rest doesn't keep a large chunk.
  return Buffer.from(rest)
}

/** Returns true for errors of the network; all others are of TLS. */
function isConnectionError(error: Error & { readonly code?: string }): boolean {
  return error.code !== 'EPROTO' && /^E[A-Z]+\d?$/.test(error.code ?? '')
}

function reasonOf(error: Error & { readonly code?: string }): { readonly reason: string } {
  return { reason: error.code ?? 'tls' }
}

function refusal(
  code: `proxyguard/${string}` & ErrorCode,
  details: Readonly<Record<string, unknown>>,
): CausewayError {
  return new CausewayError(code, { details })
}

/** The error for a proxy that couldn't be reached within the time limit of a tunnel. */
export function proxyUnreachable(): TunnelFailure {
  return new TunnelFailure({ failureClass: 'retry', reason: 'unreachable' }, 'proxyguard/unreachable')
}
