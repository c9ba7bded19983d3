import { connect } from 'node:net'
import { portalPorts, type RemoteClasses, servedKinds } from '../remotes'
import { BehindNetwork } from '../behind/behind'
import {
  closeNamespace,
  hasIpv6,
  insideNamespace,
  openNamespace,
  type ServerNamespace,
  testPrefix6Of,
  testPrefixOf,
} from './namespace'
import type { Refusal } from './refusals'
import { allOrNone, openRelay, type Relay } from './relay'
import { type Network, tunServerConfig } from './server-config'
import { remotesAmong, type TunnelOptions, type TunnelServer } from './tunnel'
import { Tunnel } from './tunnel-switch'
import { readyLines, ServerProcess } from './server-process'
import { startHandshakeTunnel } from './handshake-tunnel'
import { requireProgram } from './programs'
import { messageOf } from '../../errors'
import { isLoopback } from '../../http/origin'

/** Disconnects clients over a server's management socket; those of a frozen server once it is thawed. Never rejects. */
async function killClient(socketPath: string, commonName: string): Promise<void> {
  const socket = connect(socketPath)
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer)
      socket.destroy()
      resolve()
    }
    const timer = setTimeout(resolve, 1000)
    let received = ''
    socket.on('error', end).on('close', end).write(`kill ${commonName}\n`)
    socket.on('data', (text) => {
      if (/^(SUCCESS|ERROR):/m.test((received += String(text)))) end()
    })
  })
  socket.unref()
}

/** The offset to the ports after a move, which no portal uses. */
const movedBy = 1000

/** Returns a tunnel network for one server, unique among all mocks. `index` numbers the servers of a mock. */
function networkOf(slot: number, index: number, redirectsAll: boolean): Network {
  const block = slot * servedKinds.length * portalPorts.length + index
  return {
    prefix: `10.88.${Math.floor(block / 4)}`,
    start: (block % 4) * 64,
    ...(hasIpv6() ? { prefix6: `fd88:0:0:${block.toString(16)}::`, testPrefix6: testPrefix6Of(slot) } : {}),
    testPrefix: testPrefixOf(slot),
    redirectsAll,
  }
}

function serversIn({ serverAddresses }: ServerNamespace): TunnelServer[] {
  return servedKinds.flatMap((serves) =>
    portalPorts.map((place) => ({ host: serverAddresses[serves], ...place, serves })),
  )
}

/** OpenVPN servers with tun devices in a namespace, the network behind them, and relays for clients on other machines. */
class FullTunnel extends Tunnel {
  override readonly behind: BehindNetwork
  readonly #options: TunnelOptions
  readonly #namespace: ServerNamespace
  #relays: readonly Relay[] | undefined
  #running: { process: ServerProcess; managementSocket: string }[] = []
  /** A server's socket has room for two at once. */
  #killing = Promise.resolve()

  constructor(options: TunnelOptions, namespace: ServerNamespace) {
    super(serversIn(namespace), options.identity)
    this.#options = options
    this.#namespace = namespace
    this.behind = new BehindNetwork(namespace, options.onEvent)
  }

  /** Starts the servers, and what belongs to them. Rejects without permission. */
  async open(): Promise<void> {
    const opening = this.behind.start()
    await Promise.allSettled([this.act('start'), opening])
    await opening
    const { failure } = this.state
    if (failure !== undefined) throw new Error(failure)
    this.#relays = await this.#openRelays()
  }

  get status() {
    const { name, slot } = this.#namespace
    return {
      mode: 'full' as const,
      namespace: name,
      pingAddress: `${testPrefixOf(slot)}.1`,
      behind: this.behind.status,
      ...this.state,
    }
  }

  remotes(defaultGateway: boolean, asked = '127.0.0.1'): RemoteClasses {
    if (this.#relays === undefined || isLoopback(asked)) return remotesAmong(this.servers, defaultGateway)
    return remotesAmong(this.relayedBy(this.#relays), defaultGateway, asked)
  }

  refuseAll(refusal?: Refusal): void {
    this.refusals.refuseAll(refusal)
  }

  disconnect(commonName: string): Promise<void> {
    this.#killing = this.#killing.then(async () => {
      const serving = this.#running.filter(({ process }) => process.hasVerified(commonName))
      await Promise.all(serving.map(({ managementSocket }) => killClient(managementSocket, commonName)))
    })
    return this.#killing
  }

  override async close(): Promise<void> {
    const relays = this.#relays ?? []
    await Promise.all([...relays.map((relay) => relay.close()), this.behind.close(), super.close()])
    await closeNamespace(this.#namespace)
  }

  protected async start(): Promise<void> {
    const starting = this.servers.map((server, index) => this.#startServer(server, index))
    this.#running = await allOrNone(starting, ({ process }) => process.stop())
  }

  protected async stop(): Promise<void> {
    await Promise.all(this.#running.splice(0).map(({ process }) => process.stop()))
  }

  protected get processes(): ServerProcess[] {
    return this.#running.map(({ process }) => process)
  }

  protected portAfter(port: number): number {
    return port + movedBy
  }

  protected get hasHooks(): boolean {
    return this.#options.hooks !== false
  }

  async #startServer(server: TunnelServer, index: number) {
    const redirectsAll = server.serves === 'default-gateway' && this.#options.pushDefaultRoute
    const managementSocket = this.refusals.newSocketPath()
    const { hasHooks, identity, refusals } = this
    const network = networkOf(this.#namespace.slot, index, redirectsAll)
    const config = tunServerConfig(
      { identity, listen: server, network, refusals },
      hasHooks,
      managementSocket,
    )
    const prefix = insideNamespace(this.#namespace)
    const process = await ServerProcess.start(config, readyLines.tun, this.#options.onClient, prefix)
    return { process, managementSocket }
  }

  /** Opens relays for clients on other machines; none if the mock listens on this one only. */
  async #openRelays(): Promise<Relay[] | undefined> {
    const { host = '127.0.0.1', firstPort } = this.#options
    if (isLoopback(host)) return undefined
    const opening = this.servers.map(({ protocol }, index) => {
      const port = firstPort === undefined ? 0 : firstPort + index
      return openRelay({ protocol, host, port, open: () => this.servers[index] ?? { host, port: 0 } })
    })
    return await allOrNone(opening, (relay) => relay.close())
  }
}

/** Starts OpenVPN servers: with tun devices if permitted, else for handshakes only. Rejects if there is no OpenVPN. */
export async function startTunnel(options: TunnelOptions): Promise<Tunnel> {
  requireProgram('openvpn')
  if (process.platform !== 'linux' || process.getuid?.() !== 0) {
    return startHandshakeTunnel(options, 'A network namespace and a tun device need root on Linux.')
  }
  let tunnel: FullTunnel | undefined
  try {
    tunnel = new FullTunnel(options, await openNamespace())
    await tunnel.open()
    return tunnel
  } catch (error) {
    await tunnel?.close()
    return startHandshakeTunnel(options, `No tunnel in a network namespace: ${messageOf(error)}`)
  }
}
