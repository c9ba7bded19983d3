import { EventEmitter, once } from 'node:events'
import { portalPorts, type Remote, servedKinds } from '../remotes'
import { Refusals } from './refusals'
import { allOrNone, openRelay, type Relay } from './relay'
import { handshakeServerConfig } from './server-config'
import { readyLines, ServerProcess } from './server-process'
import { freePort, remotesAmong, type Tunnel, type TunnelOptions, type TunnelServer } from './tunnel'
import { type SwitchedServers, TunnelSwitch } from './tunnel-switch'

/** The first byte of a client's first packet: P_CONTROL_HARD_RESET_CLIENT_V2 or V3, in the upper five bits. */
const beginsSession = (packet: Buffer) => [7, 10].includes((packet[0] ?? 0) >> 3)

type StartServer = (serves: TunnelServer['serves'], listen: Remote) => Promise<ServerProcess>

/** Listeners that start a server for each client, because each server accepts only one. */
class HandshakeServers implements SwitchedServers {
  /** Servers with port 0 get a free port at their start and keep it. */
  servers: TunnelServer[]
  readonly #startServer: StartServer
  readonly #processes = new Set<ServerProcess>()
  #relays: Relay[] = []
  #isFrozen = false
  readonly #changes = new EventEmitter().setMaxListeners(0)

  constructor(servers: TunnelServer[], startServer: StartServer) {
    this.servers = servers
    this.#startServer = startServer
  }

  async start(): Promise<void> {
    const opening = this.servers.map(({ serves, host, port, protocol }) =>
      openRelay({ protocol, host, port, open: () => this.#open(serves, protocol), begins: beginsSession }),
    )
    this.#relays = await allOrNone(opening, (relay) => relay.close())
    this.servers = this.servers.map((server, index) => ({
      ...server,
      port: this.#relays[index]?.port ?? server.port,
    }))
  }

  /** Also ends the servers that were started. */
  async stop(): Promise<void> {
    await Promise.all(this.#relays.splice(0).map((relay) => relay.close()))
  }

  async disconnect(commonName: string): Promise<void> {
    const serving = [...this.#processes].filter((server) => server.hasVerified(commonName))
    await Promise.all(serving.map((server) => server.stop()))
  }

  freeze(): void {
    this.#isFrozen = true
    for (const server of this.#processes) server.freeze()
  }

  thaw(): void {
    for (const server of this.#processes) server.thaw()
    this.#isFrozen = false
    this.#changes.emit('thawed')
  }

  /** Starts a server for one client, once the servers aren't frozen. */
  async #open(serves: TunnelServer['serves'], protocol: Remote['protocol']) {
    if (this.#isFrozen) await once(this.#changes, 'thawed')
    const listen = { host: '127.0.0.1', port: await freePort(protocol), protocol }
    const server = await this.#startServer(serves, listen)
    this.#processes.add(server)
    void server.ended.then(() => this.#processes.delete(server))
    if (this.#isFrozen) server.freeze()
    return { ...listen, ended: server.ended, stop: () => server.stop() }
  }
}

/** Starts servers without any privilege, at free ports: real handshakes, but no packets. `reason` says why. */
export async function startHandshakeTunnel(options: TunnelOptions, reason: string): Promise<Tunnel> {
  const refusals = new Refusals()
  let { identity } = options
  const { host = '127.0.0.1', firstPort } = options
  const wanted = servedKinds
    .flatMap((serves) => portalPorts.map((place) => ({ ...place, host, serves })))
    .map((server, index) => ({ ...server, port: firstPort === undefined ? 0 : firstPort + index }))
  const handshakes = new HandshakeServers(wanted, (serves, listen) => {
    const network = {
      prefix: '10.88.0',
      start: 0,
      prefix6: 'fd88::',
      testPrefix: '10.99.0',
      redirectsAll: serves === 'default-gateway' && options.pushDefaultRoute,
    }
    const config = handshakeServerConfig(identity, listen, network, refusals)
    return ServerProcess.start(config, readyLines.handshake, options.onClient)
  })
  const control = new TunnelSwitch(handshakes)
  await control.act('start')
  const { failure } = control.status
  if (failure !== undefined) {
    refusals.remove()
    throw new Error(`The servers for handshakes could not be started: ${failure}`)
  }
  return {
    get status() {
      return { mode: 'handshake' as const, reason, ...control.status, servers: handshakes.servers }
    },
    remotes: (defaultGateway, asked) => remotesAmong(handshakes.servers, defaultGateway, asked),
    // A server without `mode server` has no hooks, so it can refuse a certificate only in the handshake.
    refuse: (serialNumber) => {
      refusals.add(serialNumber, 'handshake')
    },
    accept: (serialNumber) => {
      refusals.delete(serialNumber)
    },
    disconnect: (commonName) => handshakes.disconnect(commonName),
    refuseAll: () => undefined,
    act: (action) => control.act(action),
    move: () =>
      control.change(() => {
        handshakes.servers = handshakes.servers.map((server) => ({ ...server, port: 0 }))
      }),
    changeIdentity: (changed) =>
      control.change(() => {
        identity = changed
      }),
    close: async () => {
      await control.act('stop')
      refusals.remove()
    },
  }
}
