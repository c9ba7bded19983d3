import { readFileSync } from 'node:fs'
import {
  closeNamespace,
  insideNamespace,
  openNamespace,
  testPrefixOf,
  type ServerNamespace,
} from './namespace'
import { RefusedCertificates } from './refused-certificates'
import { tunServerConfig, type Network } from './server-config'
import { readyLines, ServerProcess } from './server-process'
import { remotesAmong, servedKinds, type Tunnel, type TunnelOptions, type TunnelServer } from './tunnel'

const protocols = ['udp', 'tcp'] as const
const ports = { 'default-gateway': 1194, other: 1195 }

function hasIpv6(): boolean {
  try {
    return readFileSync('/proc/sys/net/ipv6/conf/default/disable_ipv6', 'utf8').trim() === '0'
  } catch {
    return false
  }
}

/** Every server has a tunnel network of its own, and no two mocks share one. */
function networkOf(slot: number, index: number, redirectsAll: boolean): Network {
  const block = slot * servedKinds.length * protocols.length + index
  return {
    prefix: `10.88.${block}`,
    ...(hasIpv6() ? { prefix6: `fd88:0:0:${block.toString(16)}::` } : {}),
    testPrefix: testPrefixOf(slot),
    redirectsAll,
  }
}

interface Started {
  server: TunnelServer
  process: ServerProcess
}

async function startServers(
  namespace: ServerNamespace,
  options: TunnelOptions,
  refusedFolder: string,
): Promise<Started[]> {
  const wanted = servedKinds.flatMap((serves) => protocols.map((protocol) => ({ serves, protocol })))
  const attempts = await Promise.allSettled(
    wanted.map(async ({ serves, protocol }, index): Promise<Started> => {
      const listen = { host: namespace.serverAddress, port: ports[serves], protocol }
      const redirectsAll = serves === 'default-gateway' && options.pushDefaultRoute
      const config = tunServerConfig(
        { ...options.identity, refusedFolder },
        listen,
        networkOf(namespace.slot, index, redirectsAll),
      )
      return {
        server: { ...listen, serves },
        process: await ServerProcess.start(config, readyLines.tun, insideNamespace(namespace)),
      }
    }),
  )
  const started = attempts.flatMap((attempt) => (attempt.status === 'fulfilled' ? [attempt.value] : []))
  const failure = attempts.find((attempt) => attempt.status === 'rejected')
  if (failure === undefined) return started
  await Promise.all(started.map(({ process }) => process.stop()))
  throw failure.reason
}

/**
 * Servers with tun devices in a network namespace of their own, reachable over a pair of devices: clients get addresses
 * and can ping through. Needs root and /dev/net/tun; rejects, leaving nothing behind, where it may not.
 */
export async function startFullTunnel(options: TunnelOptions): Promise<Tunnel> {
  const namespace = await openNamespace()
  const refused = new RefusedCertificates()
  const cleanUp = async () => {
    refused.remove()
    await closeNamespace(namespace)
  }
  const started = await startServers(namespace, options, refused.folder).catch(async (error: unknown) => {
    await cleanUp()
    throw error
  })
  const servers = started.map(({ server }) => server)
  return {
    status: {
      mode: 'full',
      namespace: namespace.name,
      pingAddress: `${testPrefixOf(namespace.slot)}.1`,
      servers,
    },
    remotes: (defaultGateway) => remotesAmong(servers, defaultGateway),
    refuse: (serialNumber) => {
      refused.add(serialNumber)
    },
    close: async () => {
      await Promise.all(started.map(({ process }) => process.stop()))
      await cleanUp()
    },
  }
}
