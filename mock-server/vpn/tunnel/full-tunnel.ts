import { readFileSync } from 'node:fs'
import { portalPorts } from '../remotes'
import { FullServers } from './full-servers'
import {
  closeNamespace,
  insideNamespace,
  openNamespace,
  testPrefixOf,
  type ServerNamespace,
} from './namespace'
import { Refusals } from './refusals'
import { tunServerConfig, type Network } from './server-config'
import { remotesAmong, servedKinds, type Tunnel, type TunnelOptions, type TunnelServer } from './tunnel'
import { TunnelSwitch } from './tunnel-switch'

function hasIpv6(): boolean {
  try {
    return readFileSync('/proc/sys/net/ipv6/conf/default/disable_ipv6', 'utf8').trim() === '0'
  } catch {
    return false
  }
}

/** To ports that no portal uses, and on to others. */
const movedBy = 1000

/** Every server has a tunnel network of its own, and no two mocks share one: `index` counts the servers of one mock. */
function networkOf(slot: number, index: number, redirectsAll: boolean): Network {
  const block = slot * servedKinds.length * portalPorts.length + index
  return {
    prefix: `10.88.${Math.floor(block / 4)}`,
    start: (block % 4) * 64,
    ...(hasIpv6() ? { prefix6: `fd88:0:0:${block.toString(16)}::` } : {}),
    testPrefix: testPrefixOf(slot),
    redirectsAll,
  }
}

/** Every kind of profile has an address, and servers at all of the portals' own ports there. */
function serversIn({ serverAddresses }: ServerNamespace): TunnelServer[] {
  return servedKinds.flatMap((serves) =>
    portalPorts.map((place) => ({ host: serverAddresses[serves], ...place, serves })),
  )
}

/**
 * Servers with tun devices in a network namespace of their own, reachable over a pair of devices: clients get addresses
 * and can ping through. Needs root and /dev/net/tun; rejects, leaving nothing behind, where it may not.
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
      return tunServerConfig(
        identity,
        server,
        networkOf(namespace.slot, index, redirectsAll),
        refusals,
        hasHooks,
      )
    })
  const control = new TunnelSwitch(new FullServers(configs, insideNamespace(namespace), options.onClient))
  const close = async () => {
    await control.act('stop')
    refusals.remove()
    await closeNamespace(namespace)
  }
  await control.act('start')
  const { failure } = control.status
  if (failure !== undefined) {
    await close()
    throw new Error(failure)
  }
  return {
    get status() {
      return {
        mode: 'full' as const,
        namespace: namespace.name,
        pingAddress: `${testPrefixOf(namespace.slot)}.1`,
        ...control.status,
        servers,
      }
    },
    remotes: (defaultGateway) => remotesAmong(servers, defaultGateway),
    refuse: (serialNumber, refusedIn) => {
      refusals.add(serialNumber, hasHooks ? refusedIn : 'handshake')
    },
    accept: (serialNumber) => {
      refusals.delete(serialNumber)
    },
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
