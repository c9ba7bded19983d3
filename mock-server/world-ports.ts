import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { MockState } from './mock-state'

/** Servers of worlds that have a port of their own, for clients that reach a world neither by path nor by host name. */
export class WorldPorts {
  readonly #servers = new Map<string, Server>()
  readonly #worlds = new Map<number, string>()
  readonly #create: (world: MockState) => Server
  readonly #host: string

  /** `create` returns a server with the routes of the mock, which doesn't listen yet. */
  constructor(create: (world: MockState) => Server, host: string) {
    this.#create = create
    this.#host = host
  }

  /** Returns the world of a port; undefined for the port of the main world. */
  worldAt(port: number | undefined): string | undefined {
    return port === undefined ? undefined : this.#worlds.get(port)
  }

  /** Listens for a world. Returns the port, which the system chooses. Rejects if it can't listen. */
  async open(name: string, world: MockState): Promise<number> {
    const server = this.#create(world)
    server.listen(0, this.#host)
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    this.#servers.set(name, server)
    this.#worlds.set(port, name)
    return port
  }

  async close(world: string): Promise<void> {
    const server = this.#servers.get(world)
    if (server === undefined) return
    this.#servers.delete(world)
    for (const [port, name] of this.#worlds) if (name === world) this.#worlds.delete(port)
    const closed = once(server, 'close')
    server.close()
    server.closeAllConnections()
    await closed
  }
}
