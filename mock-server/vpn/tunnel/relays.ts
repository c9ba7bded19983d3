import { createSocket, type RemoteInfo, type Socket as UdpSocket } from 'node:dgram'
import { once } from 'node:events'
import { connect, createServer, isIPv6, type Server, type Socket } from 'node:net'

/** The address of a server behind a relay. */
export interface RelayTarget {
  host: string
  port: number
}

const maxClients = 64
/** Longer than the time after which OpenVPN gives up a silent client. */
const idleMs = 120_000

interface Relay {
  readonly port: number
  close(): void
}

/** Relays each connection to the server. `target` is asked for each, because servers can move. */
async function relayTcp(host: string, port: number, target: () => RelayTarget): Promise<Relay> {
  const sockets = new Set<Socket>()
  const server: Server = createServer((client) => {
    const { host: serverHost, port: serverPort } = target()
    const upstream = connect(serverPort, serverHost)
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket)
      socket.pipe(other)
      socket.on('error', () => other.resetAndDestroy())
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
  })
  server.maxConnections = maxClients
  server.listen(port, host)
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The relay has no port.')
  return {
    port: address.port,
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** Relays the packets of each client through a separate socket, so that the server can tell clients apart. */
async function relayUdp(host: string, port: number, target: () => RelayTarget): Promise<Relay> {
  const socket = createSocket(isIPv6(host) ? 'udp6' : 'udp4')
  const clients = new Map<string, { inner: UdpSocket; idle: NodeJS.Timeout }>()
  const forget = (name: string) => {
    const client = clients.get(name)
    if (client === undefined) return
    clients.delete(name)
    clearTimeout(client.idle)
    client.inner.close()
  }
  const open = (name: string, { address, port: clientPort }: RemoteInfo) => {
    const inner = createSocket('udp4')
    const idle = setTimeout(() => {
      forget(name)
    }, idleMs).unref()
    clients.set(name, { inner, idle })
    // A server that has stopped refuses packets.
    inner.on('error', () => undefined)
    inner.on('message', (packet) => {
      if (clients.has(name)) socket.send(packet, clientPort, address)
    })
    return { inner, idle }
  }
  socket.on('message', (packet, from) => {
    const name = `${from.address} ${from.port}`
    const known = clients.get(name)
    if (known === undefined && clients.size >= maxClients) return
    const { inner, idle } = known ?? open(name, from)
    idle.refresh()
    const { host: serverHost, port: serverPort } = target()
    inner.send(packet, serverPort, serverHost)
  })
  socket.bind(port, host)
  await once(socket, 'listening')
  return {
    port: socket.address().port,
    close: () => {
      for (const name of [...clients.keys()]) forget(name)
      socket.close()
    },
  }
}

/** Listeners on this machine that relay to servers which other machines can't reach. */
export class Relays {
  readonly #relays: Relay[]

  private constructor(relays: Relay[]) {
    this.#relays = relays
  }

  /**
   * Opens a relay for each server, on consecutive ports from `firstPort`, or on free ones. Rejects if a port is in use.
   * `targets` returns the servers in the same order each time.
   */
  static async open(
    listen: { host: string; firstPort: number | undefined },
    targets: () => readonly (RelayTarget & { protocol: 'udp' | 'tcp' })[],
  ): Promise<Relays> {
    const opened = await Promise.allSettled(
      targets().map(({ protocol }, index) => {
        const port = listen.firstPort === undefined ? 0 : listen.firstPort + index
        const target = () => targets()[index] ?? { host: '127.0.0.1', port: 0 }
        return protocol === 'tcp' ? relayTcp(listen.host, port, target) : relayUdp(listen.host, port, target)
      }),
    )
    const relays = new Relays(
      opened.flatMap((attempt) => (attempt.status === 'fulfilled' ? [attempt.value] : [])),
    )
    const failure = opened.find((attempt) => attempt.status === 'rejected')
    if (failure === undefined) return relays
    relays.close()
    throw failure.reason
  }

  /** The port of each relay, in the order of the servers. */
  get ports(): number[] {
    return this.#relays.map(({ port }) => port)
  }

  close(): void {
    for (const relay of this.#relays) relay.close()
  }
}
