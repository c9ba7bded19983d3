import { readyLines, ServerProcess } from './server-process'
import type { SwitchedServers } from './tunnel-switch'

/** Servers with tun devices. */
export class FullServers implements SwitchedServers {
  readonly #configs: () => string[]
  readonly #prefix: string[]
  readonly #onClient: (commonName: string) => void
  #processes: ServerProcess[] = []

  /**
   * `configs` is asked at each start; `prefix` is put before their command, to run them elsewhere; `onClient` as for
   * ServerProcess.
   */
  constructor(configs: () => string[], prefix: string[], onClient: (commonName: string) => void) {
    this.#configs = configs
    this.#prefix = prefix
    this.#onClient = onClient
  }

  async start(): Promise<void> {
    const attempts = await Promise.allSettled(
      this.#configs().map((config) =>
        ServerProcess.start(config, readyLines.tun, this.#onClient, this.#prefix),
      ),
    )
    this.#processes = attempts.flatMap((attempt) => (attempt.status === 'fulfilled' ? [attempt.value] : []))
    const failure = attempts.find((attempt) => attempt.status === 'rejected')
    if (failure === undefined) return
    await this.stop()
    throw failure.reason
  }

  async stop(): Promise<void> {
    await Promise.all(this.#processes.splice(0).map((process) => process.stop()))
  }

  freeze(): void {
    for (const process of this.#processes) process.freeze()
  }

  thaw(): void {
    for (const process of this.#processes) process.thaw()
  }
}
