import type { ServerProcess } from './server-process'

/** Servers that come and go with their clients, and all stand still while it is cold. */
export class Frost {
  readonly #servers = new Set<ServerProcess>()
  #waiting: (() => void)[] = []
  #isCold = false

  /** Starts a server, once it is not cold, and watches over it until it ends. */
  async start(start: () => Promise<ServerProcess>): Promise<ServerProcess> {
    await this.#warmth()
    const server = await start()
    this.#servers.add(server)
    void server.ended.then(() => this.#servers.delete(server))
    if (this.#isCold) server.freeze()
    return server
  }

  freeze(): void {
    this.#isCold = true
    for (const server of this.#servers) server.freeze()
  }

  thaw(): void {
    this.#isCold = false
    for (const server of this.#servers) server.thaw()
    for (const goOn of this.#waiting.splice(0)) goOn()
  }

  #warmth(): Promise<void> {
    return this.#isCold ? new Promise((resolve) => this.#waiting.push(resolve)) : Promise.resolve()
  }
}
