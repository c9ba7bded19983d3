import { connect } from 'node:net'
import { portalPorts, servedKinds } from '../remotes'
import { BehindNetwork } from '../behind/behind'
import {
  addressesBehind,
  closeNamespace,
  hasIpv6,
  insideNamespace,
  openNamespace,
  type ServerNamespace,
  testPrefix6Of,
  testPrefixOf,
} from './namespace'
import { type Refusal, Refusals, type RefusedIn } from './refusals'
import { allOrNone, openRelay, type Relay } from './relay'
import { type Network, type ServerIdentity, tunServerConfig } from './server-config'
import { remotesAmong, type Tunnel, type TunnelAction, type TunnelOptions, type TunnelServer } from './tunnel'
import { TunnelSwitch } from './tunnel-switch'
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

/** The OpenVPN servers of a full tunnel, with tun devices in a namespace. */
class TunServers {
  readonly #options: TunnelOptions
  readonly #namespace: ServerNamespace
  readonly #refusals = new Refusals()
  readonly #control: TunnelSwitch
  #servers: readonly TunnelServer[]
  #identity: ServerIdentity
  #running: { process: ServerProcess; managementSocket: string }[] = []
  /** A server's socket has room for two at once. */
  #killing = Promise.resolve()

  constructor(options: TunnelOptions, namespace: ServerNamespace) {
    this.#options = options
    this.#namespace = namespace
    this.#servers = serversIn(namespace)
    this.#identity = options.identity
    this.#control = new TunnelSwitch({
      start: async () => {
        this.#running = await allOrNone(
          this.#servers.map((server, index) => this.#start(server, index)),
          ({ process }) => process.stop(),
        )
      },
      stop: async () => {
        await Promise.all(this.#running.splice(0).map(({ process }) => process.stop()))
      },
      freeze: () => {
        for (const { process } of this.#running) process.freeze()
      },
      thaw: () => {
        for (const { process } of this.#running) process.thaw()
      },
    })
  }

  async #start(server: TunnelServer, index: number) {
    const redirectsAll = server.serves === 'default-gateway' && this.#options.pushDefaultRoute
    const managementSocket = this.#refusals.newSocketPath()
    const network = networkOf(this.#namespace.slot, index, redirectsAll)
    const config = tunServerConfig(this.#identity, server, network, this.#refusals, {
      withHooks: this.#hasHooks,
      managementSocket,
    })
    const prefix = insideNamespace(this.#namespace)
    const process = await ServerProcess.start(config, readyLines.tun, this.#options.onClient, prefix)
    return { process, managementSocket }
  }

  get #hasHooks(): boolean {
    return this.#options.hooks !== false
  }

  get all(): readonly TunnelServer[] {
    return this.#servers
  }

  get status(): TunnelSwitch['status'] {
    return this.#control.status
  }

  act(action: TunnelAction): Promise<void> {
    return this.#control.act(action)
  }

  refuse(serialNumber: string, refusedIn: RefusedIn): void {
    this.#refusals.add(serialNumber, this.#hasHooks ? refusedIn : 'handshake')
  }

  accept(serialNumber: string): void {
    this.#refusals.delete(serialNumber)
  }

  refuseAll(refusal?: Refusal): void {
    this.#refusals.refuseAll(refusal)
  }

  disconnect(commonName: string): Promise<void> {
    this.#killing = this.#killing.then(async () => {
      const serving = this.#running.filter(({ process }) => process.hasVerified(commonName))
      await Promise.all(serving.map(({ managementSocket }) => killClient(managementSocket, commonName)))
    })
    return this.#killing
  }

  move(): Promise<void> {
    return this.#control.change(() => {
      this.#servers = this.#servers.map((server) => ({ ...server, port: server.port + movedBy }))
    })
  }

  changeIdentity(changed: ServerIdentity): Promise<void> {
    return this.#control.change(() => {
      this.#identity = changed
    })
  }

  /** Removes what the hooks of the servers read. */
  removeRefusals(): void {
    this.#refusals.remove()
  }
}

/** Opens relays for clients on other machines; none if the mock listens on this one only. */
async function openRelays(
  servers: TunServers,
  { host = '127.0.0.1', firstPort }: TunnelOptions,
): Promise<Relay[] | undefined> {
  if (isLoopback(host)) return undefined
  const opening = servers.all.map(({ protocol }, index) => {
    const port = firstPort === undefined ? 0 : firstPort + index
    return openRelay({ protocol, host, port, open: () => servers.all[index] ?? { host, port: 0 } })
  })
  return await allOrNone(opening, (relay) => relay.close())
}

/** Starts servers with tun devices in a namespace, and relays for other machines. Rejects without permission. */
async function startFullTunnel(options: TunnelOptions): Promise<Tunnel> {
  const namespace = await openNamespace()
  const servers = new TunServers(options, namespace)
  let relays: Relay[] | undefined
  let opened: BehindNetwork | undefined
  const close = async () => {
    await Promise.all([...(relays ?? []).map((relay) => relay.close()), opened?.close(), servers.act('stop')])
    servers.removeRefusals()
    await closeNamespace(namespace)
  }
  let behind: BehindNetwork
  try {
    const { onEvent = () => undefined } = options
    const opening = BehindNetwork.open(namespace, addressesBehind(namespace.slot), onEvent)
    await Promise.allSettled([servers.act('start'), opening])
    behind = opened = await opening
    const { failure } = servers.status
    if (failure !== undefined) throw new Error(failure)
    relays = await openRelays(servers, options)
  } catch (error) {
    await close()
    throw error
  }
  return {
    behind,
    get status() {
      return {
        mode: 'full' as const,
        namespace: namespace.name,
        pingAddress: `${testPrefixOf(namespace.slot)}.1`,
        behind: behind.status,
        ...servers.status,
        servers: [...servers.all],
      }
    },
    remotes(defaultGateway, asked = '127.0.0.1') {
      if (relays === undefined || isLoopback(asked)) return remotesAmong(servers.all, defaultGateway)
      return remotesAmong(
        servers.all.map((server, index) => ({ ...server, port: relays[index]?.port ?? server.port })),
        defaultGateway,
        asked,
      )
    },
    refuse: (serialNumber, refusedIn) => {
      servers.refuse(serialNumber, refusedIn)
    },
    accept: (serialNumber) => {
      servers.accept(serialNumber)
    },
    refuseAll: (refusal) => {
      servers.refuseAll(refusal)
    },
    disconnect: (commonName) => servers.disconnect(commonName),
    act: (action) => servers.act(action),
    move: () => servers.move(),
    changeIdentity: (changed) => servers.changeIdentity(changed),
    close,
  }
}

/** Starts OpenVPN servers: with tun devices if permitted, else for handshakes only. Rejects if there is no OpenVPN. */
export async function startTunnel(options: TunnelOptions): Promise<Tunnel> {
  requireProgram('openvpn')
  if (process.platform !== 'linux' || process.getuid?.() !== 0) {
    return startHandshakeTunnel(options, 'A network namespace and a tun device need root on Linux.')
  }
  try {
    return await startFullTunnel(options)
  } catch (error) {
    return startHandshakeTunnel(options, `No tunnel in a network namespace: ${messageOf(error)}`)
  }
}
