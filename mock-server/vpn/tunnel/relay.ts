import { createSocket, type RemoteInfo, type Socket as UdpSocket } from 'node:dgram'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, isIPv6, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

const maxClients = 64
const maxWaiting = 64
/** Longer than the time after which OpenVPN gives up a silent client. */
const idleMs = 120_000
const connectAttempts = 100

/** The server for one client: where it listens, when it ends, and how to end it. */
interface Upstream {
  port: number
  host: string
  ended?: Promise<void>
  stop?: () => Promise<void>
}

/** A listener that relays what each client sends to a server of its own, or to one for all. */
export interface Relay {
  readonly port: number
  /** Stops listening, and ends all connections and the servers that were opened for them. */
  close(): Promise<void>
}

interface RelayOptions {
  protocol: 'udp' | 'tcp'
  host: string
  port: number
  /** Returns the server for a new client; asked each time, because servers can move. */
  open: () => Upstream | Promise<Upstream>
  /** Tells the first packet of a client from late ones of a refused client, which stay unanswered. */
  begins?: (packet: Buffer) => boolean
}

export function openRelay(options: RelayOptions): Promise<Relay> {
  return options.protocol === 'tcp' ? relayTcp(options) : relayUdp(options)
}

async function relayTcp({ host, port, open }: RelayOptions): Promise<Relay> {
  const clients = new Set<Socket>()
  const running = new Set<Promise<void>>()
  const serve = async (client: Socket, closed: Promise<unknown>) => {
    const upstream = await open()
    try {
      const inner = await connected(upstream)
      inner.on('error', () => client.resetAndDestroy())
      inner.once('close', () => client.destroy())
      client.on('error', () => inner.resetAndDestroy())
      client.pipe(inner).pipe(client)
      await Promise.race([closed, upstream.ended ?? closed])
      inner.destroy()
    } finally {
      await upstream.stop?.()
    }
  }
  const server = createServer({ pauseOnConnect: true }, (client) => {
    clients.add(client)
    client.on('error', () => client.destroy())
    const closed = new Promise<unknown>((resolve) => client.once('close', resolve))
    const session = serve(client, closed)
      // The client learns from its connection that no server could be started.
      .catch(() => undefined)
      .finally(() => {
        client.destroy()
        clients.delete(client)
        running.delete(session)
      })
    running.add(session)
  })
  server.maxConnections = maxClients
  server.listen(port, host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      server.close()
      for (const client of clients) client.destroy()
      await Promise.all(running)
    },
  }
}

/** Connects to a server that may be about to listen: OpenVPN logs that it listens a moment before it does. */
async function connected({ host, port, ended }: Upstream): Promise<Socket> {
  for (let attempt = 1; ; attempt += 1) {
    const socket = connect(port, host)
    try {
      await once(socket, 'connect')
      return socket
    } catch (error) {
      if (ended === undefined || attempt === connectAttempts) throw error
      await wait(10)
    }
  }
}

/** Relays the packets of each client through a separate socket, so that the server can tell clients apart. */
async function relayUdp({ host, port, open, begins }: RelayOptions): Promise<Relay> {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4')
  const sessions = new Map<string, UdpSession>()
  const running = new Set<Promise<void>>()
  socket.on('message', (packet, from) => {
    const name = `${from.address} ${from.port}`
    let session = sessions.get(name)
    if (session === undefined) {
      if (begins?.(packet) === false || sessions.size >= maxClients) return
      session = new UdpSession(socket, from)
      sessions.set(name, session)
      const ended = session
        .run(open)
        .catch(() => undefined)
        .finally(() => {
          sessions.delete(name)
          running.delete(ended)
        })
      running.add(ended)
    }
    session.receive(packet)
  })
  socket.bind(port, host)
  await once(socket, 'listening')
  return {
    port: socket.address().port,
    close: async () => {
      socket.removeAllListeners('message')
      for (const session of sessions.values()) session.end()
      await Promise.all(running)
      socket.close()
    },
  }
}

/** A client: the packets that wait for its server, and then the socket that talks to it. */
class UdpSession {
  readonly #outer: UdpSocket
  readonly #client: RemoteInfo
  readonly #stop = new AbortController()
  #idle = setTimeout(() => {
    this.end()
  }, idleMs).unref()
  #inner: UdpSocket | undefined
  #waiting: Buffer[] = []

  constructor(outer: UdpSocket, client: RemoteInfo) {
    this.#outer = outer
    this.#client = client
  }

  receive(packet: Buffer): void {
    this.#idle.refresh()
    if (this.#inner !== undefined) this.#inner.send(packet)
    else if (this.#waiting.length < maxWaiting) this.#waiting.push(packet)
  }

  end(): void {
    this.#stop.abort()
  }

  /** Lives until the server ends or refuses packets, or the client is silent. */
  async run(open: RelayOptions['open']): Promise<void> {
    const stopped = new Promise((resolve) => {
      this.#stop.signal.addEventListener('abort', resolve)
    })
    const upstream = await open()
    const inner = createSocket(isIPv6(upstream.host) ? 'udp6' : 'udp4')
    try {
      inner.on('error', () => {
        this.end()
      })
      inner.connect(upstream.port, upstream.host)
      await once(inner, 'connect')
      inner.on('message', (packet) => {
        this.#outer.send(packet, this.#client.port, this.#client.address)
      })
      for (const packet of this.#waiting.splice(0)) inner.send(packet)
      this.#inner = inner
      if (!this.#stop.signal.aborted) await Promise.race([upstream.ended ?? stopped, stopped])
    } finally {
      this.#inner = undefined
      clearTimeout(this.#idle)
      inner.close()
      await upstream.stop?.()
    }
  }
}

/** Resolves with the results, or undoes those that there are and rejects if one failed. */
export async function allOrNone<T>(
  attempts: readonly Promise<T>[],
  undo: (result: T) => unknown,
): Promise<T[]> {
  const settled = await Promise.allSettled(attempts)
  const failure = settled.find((attempt) => attempt.status === 'rejected')
  const results = settled.flatMap((attempt) => (attempt.status === 'fulfilled' ? [attempt.value] : []))
  if (failure === undefined) return results
  await Promise.all(results.map(undo))
  throw failure.reason
}
