import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { freePort } from './free-port'
import type { HandshakeFront, StartHandshakeServer } from './handshake-front'
import type { ServerProcess } from './server-process'

const maxClients = 16
const maxWaiting = 64

/** The first byte of a client's first packet: P_CONTROL_HARD_RESET_CLIENT_V2 or V3, in the upper five bits. */
function beginsSession(packet: Buffer): boolean {
  const opcode = (packet[0] ?? 0) >> 3
  return opcode === 7 || opcode === 10
}

/** Listens on a UDP port and starts a server process for each client address. */
export class UdpFront implements HandshakeFront {
  readonly #start: StartHandshakeServer
  readonly #socket: Socket
  readonly #sessions = new Map<string, UdpSession>()
  readonly #running = new Set<Promise<void>>()

  constructor(start: StartHandshakeServer, family: 'udp4' | 'udp6' = 'udp4') {
    this.#start = start
    this.#socket = createSocket(family)
    this.#socket.on('message', (packet, client) => {
      this.#receive(packet, client)
    })
  }

  async listen(host: string, port: number): Promise<number> {
    this.#socket.bind(port, host)
    await once(this.#socket, 'listening')
    return this.#socket.address().port
  }

  async close(): Promise<void> {
    this.#socket.removeAllListeners('message')
    for (const session of this.#sessions.values()) session.end()
    await Promise.all(this.#running)
    this.#socket.close()
  }

  /** Starts a server only for a first packet: late packets of a refused client stay unanswered. */
  #receive(packet: Buffer, client: RemoteInfo): void {
    const name = `${client.address}:${client.port}`
    const known = this.#sessions.get(name)
    if (known !== undefined) {
      known.receive(packet)
      return
    }
    if (!beginsSession(packet) || this.#sessions.size >= maxClients) return
    const session = new UdpSession((answer) => {
      this.#socket.send(answer, client.port, client.address)
    })
    this.#sessions.set(name, session)
    session.receive(packet)
    const running = session.run(this.#start).finally(() => {
      this.#sessions.delete(name)
      this.#running.delete(running)
    })
    this.#running.add(running)
  }
}

/** One client: its server process and the socket that talks to it. */
class UdpSession {
  readonly #answer: (packet: Buffer) => void
  readonly #stop = new AbortController()
  #inner: Socket | undefined
  #waiting: Buffer[] = []

  constructor(answer: (packet: Buffer) => void) {
    this.#answer = answer
  }

  receive(packet: Buffer): void {
    if (this.#inner !== undefined) this.#inner.send(packet)
    else if (this.#waiting.length < maxWaiting) this.#waiting.push(packet)
  }

  end(): void {
    this.#stop.abort()
  }

  /** Lives until the server process ends, which happens when the client is gone. */
  async run(start: StartHandshakeServer): Promise<void> {
    const opened = await this.#open(start).catch(() => undefined)
    if (opened === undefined) return
    const { server, inner } = opened
    inner.on('message', (packet) => {
      this.#answer(packet)
    })
    for (const packet of this.#waiting) inner.send(packet)
    this.#waiting = []
    this.#inner = inner
    await Promise.race([server.ended, aborted(this.#stop.signal)])
    this.#inner = undefined
    inner.close()
    await server.stop()
  }

  async #open(start: StartHandshakeServer): Promise<{ server: ServerProcess; inner: Socket }> {
    const port = await freePort('udp')
    const server = await start({ host: '127.0.0.1', port, protocol: 'udp' })
    const inner = createSocket('udp4')
    inner.on('error', () => {
      this.end()
    })
    inner.connect(port, '127.0.0.1')
    await once(inner, 'connect')
    return { server, inner }
  }
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort')
}
