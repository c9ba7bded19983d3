import { isIPv6 } from 'node:net'
import { FreezableServers } from './freezable-servers'
import type { HandshakeFront, StartHandshakeServer } from './handshake-front'
import { TcpFront } from './handshake-tcp'
import { UdpFront } from './handshake-udp'
import type { TunnelServer } from './tunnel'
import type { SwitchedServers } from './tunnel-switch'

/** The listeners of the handshake servers. Stopping them also ends the servers that they started. */
export class HandshakeServers implements SwitchedServers {
  readonly #running = new FreezableServers()
  readonly #startFor: (serves: TunnelServer['serves']) => StartHandshakeServer
  #servers: TunnelServer[]
  #fronts: HandshakeFront[] = []

  /** Servers with port 0 get a free port at their first start and keep it. */
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
      this.#fronts.map((front, index) => {
        const { host = '127.0.0.1', port = 0 } = this.#servers[index] ?? {}
        return front.listen(host, port)
      }),
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

  /** Selects other ports for the next start. Call it while the servers are stopped. */
  move(): void {
    this.#servers = this.#servers.map((server) => ({ ...server, port: 0 }))
  }

  /** Ends the servers of the clients with this common name. */
  disconnect(commonName: string): Promise<void> {
    return this.#running.disconnect(commonName)
  }

  freeze(): void {
    this.#running.freeze()
  }

  thaw(): void {
    this.#running.thaw()
  }

  #newFront({ serves, protocol, host }: TunnelServer): HandshakeFront {
    const startServer = this.#startFor(serves)
    const start: StartHandshakeServer = (listen) => this.#running.start(() => startServer(listen))
    return protocol === 'tcp' ? new TcpFront(start) : new UdpFront(start, isIPv6(host) ? 'udp6' : 'udp4')
  }
}
