import { messageOf } from '../../errors'
import type { BehindNetwork } from '../behind/behind'
import type { RemoteClasses } from '../remotes'
import { type Refusal, type RefusedIn, Refusals } from './refusals'
import type { Relay } from './relay'
import type { ServerIdentity } from './server-config'
import type { ServerProcess } from './server-process'
import type { Running, TunnelAction, TunnelServer, TunnelStatus } from './tunnel'

/** OpenVPN servers that can be stopped, frozen and started again. Actions are queued and run in order. */
export abstract class Tunnel {
  /** The network behind the servers, if they carry packets. */
  readonly behind: BehindNetwork | undefined
  protected readonly refusals = new Refusals()
  protected servers: readonly TunnelServer[]
  protected identity: ServerIdentity
  #running: Running = 'stopped'
  readonly #changes = new Serial()

  constructor(servers: readonly TunnelServer[], identity: ServerIdentity) {
    this.servers = servers
    this.identity = identity
  }

  abstract readonly status: TunnelStatus
  /** Returns the remotes for a profile with this default_gateway, for a client that reaches the mock at `host`. */
  abstract remotes(defaultGateway: boolean, host?: string): RemoteClasses
  /** Disconnects the clients with this common name. Resolves within about a second, also for frozen servers. */
  abstract disconnect(commonName: string): Promise<void>
  /** Replaces the refusal of all clients; without an argument, withdraws it. Only in mode `full`. */
  abstract refuseAll(refusal?: Refusal): void
  /** Starts all servers. If one fails, stops the others and rejects. */
  protected abstract start(): Promise<void>
  protected abstract stop(): Promise<void>
  protected abstract get processes(): Iterable<ServerProcess>
  protected abstract readonly hasHooks: boolean
  /** Returns where a server on this port moves to. */
  protected abstract portAfter(port: number): number

  protected get state() {
    return { running: this.#running, failure: this.#changes.failure, servers: [...this.servers] }
  }

  /** Returns the servers at the ports of these relays in front of them. */
  protected relayedBy(relays: readonly Relay[]): TunnelServer[] {
    return this.servers.map((server, index) => ({ ...server, port: relays[index]?.port ?? server.port }))
  }

  /** Stops answering, and keeps all state. */
  protected freeze(): void {
    for (const process of this.processes) process.freeze()
  }

  protected thaw(): void {
    for (const process of this.processes) process.thaw()
  }

  /** Refuses the certificate with this hexadecimal serial number from now on; without hooks, always in the handshake. */
  refuse(serialNumber: string, refusedIn: RefusedIn): void {
    this.refusals.add(serialNumber, this.hasHooks ? refusedIn : 'handshake')
  }

  accept(serialNumber: string): void {
    this.refusals.delete(serialNumber)
  }

  /** Never rejects: a failure to start is part of the status. */
  act(action: TunnelAction): Promise<void> {
    return this.#changes.run(() => this.#perform(action))
  }

  /** Restarts the servers at other ports. Never rejects, like `act`. */
  move(): Promise<void> {
    return this.#change(() => {
      this.servers = this.servers.map((server) => ({ ...server, port: this.portAfter(server.port) }))
    })
  }

  /** Restarts the servers with other keys and certificates. Never rejects, like `act`. */
  changeIdentity(identity: ServerIdentity): Promise<void> {
    return this.#change(() => {
      this.identity = identity
    })
  }

  async close(): Promise<void> {
    await this.act('stop')
    this.refusals.remove()
  }

  /** Changes the servers while they are stopped, then starts them. Never rejects, like `act`. */
  #change(work: () => void): Promise<void> {
    void this.act('stop')
    void this.#changes.run(work)
    return this.act('start')
  }

  async #perform(action: TunnelAction): Promise<void> {
    if (action === 'freeze') {
      if (this.#running !== 'running') return
      if (process.platform === 'win32') throw new Error('Windows has no signal that freezes a program.')
      this.freeze()
      this.#running = 'frozen'
      return
    }
    if (this.#running === 'frozen') {
      this.thaw()
      this.#running = 'running'
    }
    if (action !== 'start' && action !== 'thaw' && this.#running === 'running') {
      this.#running = 'stopped'
      await this.stop()
    }
    if (action !== 'stop' && action !== 'thaw' && this.#running === 'stopped') {
      await this.start()
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
