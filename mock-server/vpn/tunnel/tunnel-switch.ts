import type { Running, TunnelAction } from './tunnel'
import { messageOf } from '../../errors'

export interface SwitchedServers {
  /** Starts all servers. If one fails, stops the others and rejects. */
  start(): Promise<void>
  stop(): Promise<void>
  /** Stops answering, and keeps all state. */
  freeze(): void
  thaw(): void
}

/** Queues actions on the servers and runs them in order. */
export class TunnelSwitch {
  readonly #servers: SwitchedServers
  #running: Running = 'stopped'
  readonly #changes = new Serial()

  constructor(servers: SwitchedServers) {
    this.#servers = servers
  }

  get status(): { running: Running; failure?: string | undefined } {
    return { running: this.#running, failure: this.#changes.failure }
  }

  /** Never rejects: a failure to start is part of the status. */
  act(action: TunnelAction): Promise<void> {
    return this.#changes.run(() => this.#perform(action))
  }

  /** Changes the servers while they are stopped, then starts them. Never rejects, like `act`. */
  change(work: () => void): Promise<void> {
    void this.act('stop')
    void this.#changes.run(work)
    return this.act('start')
  }

  async #perform(action: TunnelAction): Promise<void> {
    if (action === 'freeze') {
      if (this.#running !== 'running') return
      if (process.platform === 'win32') throw new Error('Windows has no signal that freezes a program.')
      this.#servers.freeze()
      this.#running = 'frozen'
      return
    }
    if (this.#running === 'frozen') {
      this.#servers.thaw()
      this.#running = 'running'
    }
    if (action !== 'start' && action !== 'thaw' && this.#running === 'running') {
      this.#running = 'stopped'
      await this.#servers.stop()
    }
    if (action !== 'stop' && action !== 'thaw' && this.#running === 'stopped') {
      await this.#servers.start()
      this.#running = 'running'
    }
  }
}

/** Runs changes one after the other. None rejects: `failure` is the reason why the last one failed. */
export class Serial {
  failure: string | undefined
  idle: Promise<void> = Promise.resolve()

  run(change: () => unknown): Promise<void> {
    this.idle = this.idle.then(change).then(
      () => {
        this.failure = undefined
      },
      (error: unknown) => {
        this.failure = messageOf(error)
      },
    )
    return this.idle
  }

  /** Resolves after all changes. Rejects if the last one failed. */
  async settled(): Promise<void> {
    await this.idle
    if (this.failure !== undefined) throw new Error(this.failure)
  }
}
