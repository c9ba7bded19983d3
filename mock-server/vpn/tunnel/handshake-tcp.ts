import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { freePort } from './free-port'
import type { HandshakeFront, StartHandshakeServer } from './handshake-front'
import type { ServerProcess } from './server-process'

const maxClients = 16
const connectAttempts = 100

/**
 * Listens on a TCP port and starts a server process for each connection. If the server can't start, the
 * connection is closed.
 */
export class TcpFront implements HandshakeFront {
  readonly #start: StartHandshakeServer
  readonly #server: Server
  readonly #running = new Set<Promise<void>>()
  readonly #connections = new Set<Socket>()

  constructor(start: StartHandshakeServer) {
    this.#start = start
    this.#server = createServer((connection) => {
      const session = this.#serve(connection).finally(() => this.#running.delete(session))
      this.#running.add(session)
    })
  }

  async listen(host: string, port: number): Promise<number> {
    this.#server.listen(port, host)
    await once(this.#server, 'listening')
    const address = this.#server.address()
    if (address === null || typeof address === 'string') throw new Error('The front has no port.')
    return address.port
  }

  async close(): Promise<void> {
    this.#server.close()
    for (const connection of this.#connections) connection.destroy()
    await Promise.all(this.#running)
  }

  async #serve(connection: Socket): Promise<void> {
    connection.pause()
    this.#connections.add(connection)
    connection.on('error', () => connection.destroy())
    const closed = new Promise<void>((resolve) => {
      connection.once('close', () => {
        this.#connections.delete(connection)
        resolve()
      })
    })
    const isFull = this.#connections.size > maxClients
    const inside = isFull ? undefined : await this.#open().catch(() => undefined)
    if (inside === undefined) {
      connection.destroy()
      return
    }
    const { server, inner } = inside
    inner.on('error', () => connection.destroy())
    inner.once('close', () => connection.destroy())
    connection.pipe(inner).pipe(connection)
    await Promise.race([closed, server.ended])
    connection.destroy()
    inner.destroy()
    await server.stop()
  }

  async #open(): Promise<{ server: ServerProcess; inner: Socket }> {
    const port = await freePort('tcp')
    const server = await this.#start({ host: '127.0.0.1', port, protocol: 'tcp' })
    try {
      return { server, inner: await connectTo(port) }
    } catch (error) {
      await server.stop()
      throw error
    }
  }
}

/** Connects to a server that is about to listen: OpenVPN logs that it listens a moment before it does. */
async function connectTo(port: number): Promise<Socket> {
  for (let attempt = 1; ; attempt += 1) {
    const socket = connect(port, '127.0.0.1')
    try {
      await once(socket, 'connect')
      return socket
    } catch (error) {
      if (attempt === connectAttempts) throw error
      await setTimeout(10)
    }
  }
}
