import { portalPorts } from '../remotes'
import { FullServers } from './full-servers'
import { BehindNetwork } from '../behind/behind'
import {
  addressesBehind,
  closeNamespace,
  hasIpv6,
  insideNamespace,
  openNamespace,
  testPrefix6Of,
  testPrefixOf,
  type ServerNamespace,
} from './namespace'
import { Refusals } from './refusals'
import { Relays } from './relays'
import { tunServerConfig, type Network } from './server-config'
import { remotesAmong, servedKinds, type Tunnel, type TunnelOptions, type TunnelServer } from './tunnel'
import { TunnelSwitch } from './tunnel-switch'

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.')
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

/** Lists the servers: each kind of profile has an address with servers at all ports of portals. */
function serversIn({ serverAddresses }: ServerNamespace): TunnelServer[] {
  return servedKinds.flatMap((serves) =>
    portalPorts.map((place) => ({ host: serverAddresses[serves], ...place, serves })),
  )
}

/**
 * Starts servers with tun devices in their own network namespace, connected by a veth pair: clients get addresses and can
 * ping through the tunnel. Needs root and /dev/net/tun. Rejects without permission, and cleans up first. If the mock
 * listens on more than loopback, relays let other machines reach the servers.
 */
export async function startFullTunnel(options: TunnelOptions): Promise<Tunnel> {
  const namespace = await openNamespace()
  const refusals = new Refusals()
  const hasHooks = options.hooks !== false
  let servers = serversIn(namespace)
  let { identity } = options
  const configs = () =>
    servers.map((server, index) => {
      const redirectsAll = server.serves === 'default-gateway' && options.pushDefaultRoute
      const managementSocket = refusals.newSocketPath()
      const config = tunServerConfig(
        identity,
        server,
        networkOf(namespace.slot, index, redirectsAll),
        refusals,
        { withHooks: hasHooks, managementSocket },
      )
      return { config, managementSocket }
    })
  const fullServers = new FullServers(configs, insideNamespace(namespace), options.onClient)
  const control = new TunnelSwitch(fullServers)
  let relays: Relays | undefined
  let behind: BehindNetwork | undefined
  const close = async () => {
    relays?.close()
    await Promise.all([behind?.close(), control.act('stop')])
    refusals.remove()
    await closeNamespace(namespace)
  }
  try {
    const opened = BehindNetwork.open(
      namespace,
      addressesBehind(namespace.slot),
      options.onEvent ?? (() => undefined),
    )
    await Promise.allSettled([control.act('start'), opened])
    behind = await opened
    const { failure } = control.status
    if (failure !== undefined) throw new Error(failure)
  } catch (error) {
    await close()
    throw error
  }
  const { host = '127.0.0.1', firstPort } = options
  if (!isLoopback(host)) {
    try {
      relays = await Relays.open({ host, firstPort }, () => servers)
    } catch (error) {
      await close()
      throw error
    }
  }
  const network = behind
  return {
    behind: network,
    get status() {
      return {
        mode: 'full' as const,
        namespace: namespace.name,
        pingAddress: `${testPrefixOf(namespace.slot)}.1`,
        behind: network.status,
        ...control.status,
        servers,
      }
    },
    remotes: (defaultGateway, asked = '127.0.0.1') => {
      if (relays === undefined || isLoopback(asked)) return remotesAmong(servers, defaultGateway)
      const { ports } = relays
      return remotesAmong(
        servers.map((server, index) => ({ ...server, port: ports[index] ?? server.port })),
        defaultGateway,
        asked,
      )
    },
    refuse: (serialNumber, refusedIn) => {
      refusals.add(serialNumber, hasHooks ? refusedIn : 'handshake')
    },
    accept: (serialNumber) => {
      refusals.delete(serialNumber)
    },
    disconnect: (commonName) => fullServers.disconnect(commonName),
    refuseAll: (refusal) => {
      refusals.refuseAll(refusal)
    },
    act: (action) => control.act(action),
    move: () =>
      control.change(() => {
        servers = servers.map((server) => ({ ...server, port: server.port + movedBy }))
      }),
    changeIdentity: (changed) =>
      control.change(() => {
        identity = changed
      }),
    close,
  }
}
