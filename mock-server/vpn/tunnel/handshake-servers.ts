import { Frost } from './frost'
import type { HandshakeFront, StartHandshakeServer } from './handshake-front'
import { TcpFront } from './handshake-tcp'
import { UdpFront } from './handshake-udp'
import type { TunnelServer } from './tunnel'
import type { SwitchedServers } from './tunnel-switch'

/** The fronts at which clients of the handshake servers arrive: closed, they are taken away with all behind them. */
export class HandshakeServers implements SwitchedServers {
  readonly #frost = new Frost()
  readonly #startFor: (serves: TunnelServer['serves']) => StartHandshakeServer
  #servers: TunnelServer[]
  #fronts: HandshakeFront[] = []

  /** Servers with port 0 get a free one at their first start, and keep it. */
  constructor(servers: TunnelServer[], startFor: (serves: TunnelServer['serves']) => StartHandshakeServer) {
    this.#servers = servers
    this.#startFor = startFor
  }

  get servers(): TunnelServer[] {
    return this.#servers
  }

  async start(): Promise<void> {
    this.#fronts = this.#servers.map((server) => this.#newFront(server))
    const opened = await Promise.allSettled(
      this.#fronts.map((front, index) => front.listen(this.#servers[index]?.port ?? 0)),
    )
    const failure = opened.find((attempt) => attempt.status === 'rejected')
    if (failure !== undefined) {
      await this.stop()
      throw failure.reason
    }
    this.#servers = this.#servers.map((server, index) => {
      const attempt = opened[index]
      return attempt?.status === 'fulfilled' ? { ...server, port: attempt.value } : server
    })
  }

  async stop(): Promise<void> {
    await Promise.all(this.#fronts.splice(0).map((front) => front.close()))
  }

  /** At the next start they get other ports. To be called while they are stopped. */
  move(): void {
    this.#servers = this.#servers.map((server) => ({ ...server, port: 0 }))
  }

  freeze(): void {
    this.#frost.freeze()
  }

  thaw(): void {
    this.#frost.thaw()
  }

  #newFront({ serves, protocol }: TunnelServer): HandshakeFront {
    const startServer = this.#startFor(serves)
    const start: StartHandshakeServer = (listen) => this.#frost.start(() => startServer(listen))
    return protocol === 'tcp' ? new TcpFront(start) : new UdpFront(start)
  }
}
