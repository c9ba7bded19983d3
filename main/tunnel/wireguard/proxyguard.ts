import { type Socket as UdpSocket, createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIP } from 'node:net'
import { type SecureContext, type TLSSocket, connect as connectTls } from 'node:tls'

import type { ErrorCode } from '../../../contract/error-codes'
import { CausewayError } from '../../errors'
import { TunnelFailure } from '../tunnel'

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
 * Carries WireGuard's datagrams over TLS to a ProxyGuard server (UoTLV/1): each with its length before it, in two bytes.
 * After a lost connection it dials again when there is the next datagram, and waits longer each time.
 */
export class ProxyGuard {
  readonly #options: ProxyGuardOptions
  readonly #udp: UdpSocket
  readonly #after: NonNullable<ProxyGuardOptions['after']>
  /** The server's addresses, which are looked up before routes change; the next one is tried after a failure. */
  readonly #addresses: string[] = []
  #waiting: Buffer[] = []
  #socket: TLSSocket | undefined
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

  /** Adds an address of the server; dials if it's the first one. */
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
    try {
      const secureContext = await this.#options.secureContext()
      if (this.#isClosed()) return
      const { hostname, port } = this.#options.endpoint
      const name = hostname.replace(/^\[|\]$/g, '')
      const address = this.#addresses[this.#failures % this.#addresses.length] ?? name
      const socket = connectTls({
        host: address,
        port: Number(port) || 443,
        secureContext,
        minVersion: 'TLSv1.3',
        ALPNProtocols: ['http/1.1'],
        // The name is checked; an address is no name for SNI.
        ...(isIP(name) === 0 && { servername: name }),
      })
      this.#socket = socket
      socket.setNoDelay(true)
      this.#setTimer(dialLimitMs, () => socket.destroy())
      this.#follow(socket)
    } catch {
      // The authorities can't be read, so no server can be trusted.
      this.#fail(refusal('proxyguard/untrusted', { reason: 'authorities' }))
    }
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
  if (status >= 502 && status <= 504) return 'retry'
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
