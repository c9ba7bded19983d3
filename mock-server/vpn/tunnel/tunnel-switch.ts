import type { Running, TunnelAction } from './tunnel'
import { messageOf } from '../../errors'

/** Servers that can be stopped, started and frozen. */
export interface SwitchedServers {
  /** Starts all servers. If one fails, stops the others and rejects. */
  start(): Promise<void>
  stop(): Promise<void>
  /** Stops answering, and keeps all state. */
  freeze(): void
  thaw(): void
}

/** Queues actions on the servers and runs them in order. The first starts synchronously. */
export class TunnelSwitch {
  readonly #servers: SwitchedServers
  #running: Running = 'stopped'
  #failure: string | undefined
  #last: Promise<void> = Promise.resolve()

  constructor(servers: SwitchedServers) {
    this.#servers = servers
  }

  get status(): { running: Running; failure?: string } {
    return {
      running: this.#running,
      failure: this.#failure,
    }
  }

  /** Never rejects: a failure to start is part of the status. */
  act(action: TunnelAction): Promise<void> {
    this.#last = this.#last
      .then(() => this.#perform(action))
      .catch((error: unknown) => {
        this.#failure = messageOf(error)
      })
    return this.#last
  }

  /** Changes the servers while they are stopped, then starts them. Never rejects, like `act`. */
  change(work: () => void): Promise<void> {
    void this.act('stop')
    this.#last = this.#last.then(work)
    return this.act('start')
  }

  async #perform(action: TunnelAction): Promise<void> {
    this.#failure = undefined
    switch (action) {
      case 'stop':
        await this.#stop()
        return
      case 'start':
        await this.#start()
        return
      case 'restart':
        await this.#stop()
        await this.#start()
        return
      case 'freeze':
        if (this.#running !== 'running') return
        if (process.platform === 'win32') throw new Error('Windows has no signal that freezes a program.')
        this.#servers.freeze()
        this.#running = 'frozen'
        return
      case 'thaw':
        this.#thaw()
    }
  }

  #thaw(): void {
    if (this.#running !== 'frozen') return
    this.#servers.thaw()
    this.#running = 'running'
  }

  async #stop(): Promise<void> {
    if (this.#running === 'stopped') return
    this.#thaw()
    this.#running = 'stopped'
    await this.#servers.stop()
  }

  /** Frozen servers are started by thawing them. */
  async #start(): Promise<void> {
    this.#thaw()
    if (this.#running === 'running') return
    await this.#servers.start()
    this.#running = 'running'
  }
}
