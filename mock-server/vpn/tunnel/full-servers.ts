import { killClient } from './management'
import { readyLines, ServerProcess } from './server-process'
import type { SwitchedServers } from './tunnel-switch'

/** The configuration of a server, and its management socket. */
interface ManagedConfig {
  config: string
  managementSocket: string
}

/** Servers with tun devices. */
export class FullServers implements SwitchedServers {
  readonly #configs: () => ManagedConfig[]
  readonly #prefix: string[]
  readonly #onClient: (commonName: string) => void
  #servers: { process: ServerProcess; managementSocket: string }[] = []

  /**
   * `configs` is called at each start. `prefix` precedes the command, to run it in a namespace. `onClient` is that of
   * ServerProcess.
   */
  constructor(configs: () => ManagedConfig[], prefix: string[], onClient: (commonName: string) => void) {
    this.#configs = configs
    this.#prefix = prefix
    this.#onClient = onClient
  }

  async start(): Promise<void> {
    const attempts = await Promise.allSettled(
      this.#configs().map(async ({ config, managementSocket }) => ({
        managementSocket,
        process: await ServerProcess.start(config, readyLines.tun, this.#onClient, this.#prefix),
      })),
    )
    this.#servers = attempts.flatMap((attempt) => (attempt.status === 'fulfilled' ? [attempt.value] : []))
    const failure = attempts.find((attempt) => attempt.status === 'rejected')
    if (failure === undefined) return
    await this.stop()
    throw failure.reason
  }

  async stop(): Promise<void> {
    await Promise.all(this.#servers.splice(0).map(({ process }) => process.stop()))
  }

  /** Disconnects the clients with this common name from all servers that have verified it. */
  async disconnect(commonName: string): Promise<void> {
    const serving = this.#servers.filter(({ process }) => process.hasVerified(commonName))
    await Promise.all(serving.map(({ managementSocket }) => killClient(managementSocket, commonName)))
  }

  freeze(): void {
    for (const { process } of this.#servers) process.freeze()
  }

  thaw(): void {
    for (const { process } of this.#servers) process.thaw()
  }
}
