import { EventEmitter, once } from 'node:events'
import { portalPorts, type Remote, type RemoteClasses, servedKinds } from '../remotes'
import { allOrNone, openRelay, type Relay } from './relay'
import { handshakeServerConfig, type Network } from './server-config'
import { readyLines, ServerProcess } from './server-process'
import { freePort, remotesAmong, type TunnelOptions, type TunnelServer } from './tunnel'
import { Tunnel } from './tunnel-switch'

/** The first byte of a client's first packet: P_CONTROL_HARD_RESET_CLIENT_V2 or V3, in the upper five bits. */
const beginsSession = (packet: Buffer) => [7, 10].includes((packet[0] ?? 0) >> 3)

/** Another program may take a free port before the server does. */
const startAttempts = 3

/** Servers without any privilege: real handshakes, but no packets. Each accepts one client, so listeners start one for each. */
class HandshakeTunnel extends Tunnel {
  protected readonly processes = new Set<ServerProcess>()
  /** A server without `mode server` has no hooks, so it can refuse a certificate only in the handshake. */
  protected readonly hasHooks = false
  readonly #options: TunnelOptions
  readonly #reason: string
  #relays: Relay[] = []
  #isFrozen = false
  readonly #changes = new EventEmitter().setMaxListeners(0)

  /** Servers with port 0 get a free port at their start and keep it. */
  constructor(options: TunnelOptions, reason: string) {
    const { host = '127.0.0.1', firstPort } = options
    const wanted = servedKinds
      .flatMap((serves) => portalPorts.map((place) => ({ ...place, host, serves })))
      .map((server, index) => ({ ...server, port: firstPort === undefined ? 0 : firstPort + index }))
    super(wanted, options.identity)
    this.#options = options
    this.#reason = reason
  }

  get status() {
    return { mode: 'handshake' as const, reason: this.#reason, ...this.state }
  }

  remotes(defaultGateway: boolean, asked?: string): RemoteClasses {
    return remotesAmong(this.servers, defaultGateway, asked)
  }

  readonly refuseAll = () => undefined

  async disconnect(commonName: string): Promise<void> {
    const serving = [...this.processes].filter((server) => server.hasVerified(commonName))
    await Promise.all(serving.map((server) => server.stop()))
  }

  protected async start(): Promise<void> {
    const opening = this.servers.map(({ serves, host, port, protocol }) =>
      openRelay({ protocol, host, port, open: () => this.#open(serves, protocol), begins: beginsSession }),
    )
    this.#relays = await allOrNone(opening, (relay) => relay.close())
    this.servers = this.relayedBy(this.#relays)
  }

  /** Also ends the servers that were started. */
  protected async stop(): Promise<void> {
    await Promise.all(this.#relays.splice(0).map((relay) => relay.close()))
  }

  protected override freeze(): void {
    this.#isFrozen = true
    super.freeze()
  }

  protected override thaw(): void {
    super.thaw()
    this.#isFrozen = false
    this.#changes.emit('thawed')
  }

  protected portAfter(): number {
    return 0
  }

  /** Starts a server for one client, once the servers aren't frozen. */
  async #open(serves: TunnelServer['serves'], protocol: Remote['protocol']) {
    if (this.#isFrozen) await once(this.#changes, 'thawed')
    const network = {
      prefix: '10.88.0',
      start: 0,
      prefix6: 'fd88::',
      testPrefix: '10.99.0',
      redirectsAll: serves === 'default-gateway' && this.#options.pushDefaultRoute,
    }
    const { listen, server } = await this.#startServer(protocol, network)
    this.processes.add(server)
    void server.ended.then(() => this.processes.delete(server))
    if (this.#isFrozen) server.freeze()
    return { ...listen, ended: server.ended, stop: () => server.stop() }
  }

  async #startServer(protocol: Remote['protocol'], network: Network) {
    const { identity, refusals } = this
    for (let attempt = 1; ; attempt += 1) {
      const listen = { host: '127.0.0.1', port: await freePort(protocol), protocol }
      const config = handshakeServerConfig({ identity, listen, network, refusals })
      try {
        return {
          listen,
          server: await ServerProcess.start(config, readyLines.handshake, this.#options.onClient),
        }
      } catch (error) {
        if (attempt === startAttempts) throw error
      }
    }
  }
}

/** Starts servers without any privilege, at free ports. `reason` says why they have no packets. Rejects if they can't listen. */
export async function startHandshakeTunnel(options: TunnelOptions, reason: string): Promise<Tunnel> {
  const tunnel = new HandshakeTunnel(options, reason)
  await tunnel.act('start')
  const { failure } = tunnel.status
  if (failure === undefined) return tunnel
  await tunnel.close()
  throw new Error(`The servers for handshakes could not be started: ${failure}`)
}
