import type { ServerProcess } from './server-process'

/** Servers that start and end with their clients, and can be frozen together. */
export class FreezableServers {
  readonly #servers = new Set<ServerProcess>()
  #waiting: (() => void)[] = []
  #isFrozen = false

  /** Starts a server, once the servers aren't frozen, and tracks it until it ends. */
  async start(start: () => Promise<ServerProcess>): Promise<ServerProcess> {
    await this.#thawed()
    const server = await start()
    this.#servers.add(server)
    void server.ended.then(() => this.#servers.delete(server))
    if (this.#isFrozen) server.freeze()
    return server
  }

  /** Ends the servers that have verified a client with this common name. */
  async disconnect(commonName: string): Promise<void> {
    const serving = [...this.#servers].filter((server) => server.hasVerified(commonName))
    await Promise.all(serving.map((server) => server.stop()))
  }

  freeze(): void {
    this.#isFrozen = true
    for (const server of this.#servers) server.freeze()
  }

  thaw(): void {
    this.#isFrozen = false
    for (const server of this.#servers) server.thaw()
    for (const goOn of this.#waiting.splice(0)) goOn()
  }

  #thawed(): Promise<void> {
    return this.#isFrozen ? new Promise((resolve) => this.#waiting.push(resolve)) : Promise.resolve()
  }
}
