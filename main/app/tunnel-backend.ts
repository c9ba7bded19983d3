import { join } from 'node:path'
import type { Transport } from '../platform/http/transport'
import type { Privilege } from '../privilege/privilege'
import type { TrafficBlock } from '../privilege/traffic-block'
import type { Reporter } from '../reporter'
import type { OpenTunnelOptions } from '../tunnel/open-tunnel'
import type { TunnelBackend } from '../tunnel/tunnel'
import { lazy } from './lazy'
import { type createTunnelProxy, openVpnProxy, urlOf } from './tunnel-proxy'

/** Returns what opens tunnels of every protocol. The code is loaded with the first call, and that of a protocol with its first tunnel. */
export function lazyTunnelBackend({
  dataDir,
  privilege,
  trafficBlock,
  openVpnPath,
  tunnelProxy,
  divideApps,
  getTransport,
  reporter,
}: {
  /** Absolute. */
  readonly dataDir: string
  readonly privilege: () => Promise<Privilege>
  readonly trafficBlock: Pick<TrafficBlock, 'isOn' | 'watch'>
  /** Returns the path of OpenVPN, if one is set. */
  readonly openVpnPath: () => Promise<string | undefined>
  readonly tunnelProxy: Pick<ReturnType<typeof createTunnelProxy>, 'to'>
  readonly divideApps: OpenTunnelOptions['divideApps']
  readonly getTransport: () => Promise<Pick<Transport, 'requireReachable'>>
  readonly reporter: Pick<Reporter, 'notice'>
}): () => Promise<TunnelBackend> {
  return lazy(async () => {
    const { createTunnelBackend } = await import('../tunnel/open-tunnel')
    return createTunnelBackend({
      privilege: await privilege(),
      openVpnPath,
      divideApps,
      trafficBlock,
      tunnelFolder: join(dataDir, 'tunnel'),
      onNotice: reporter.notice,
      protocols: {
        openvpn: async () => {
          const { openVpn } = await import('../tunnel/openvpn/openvpn')
          return openVpn(async (server, use, signal) => {
            const proxy = openVpnProxy(server, await tunnelProxy.to(server))
            // The kill switch lets nobody but OpenVPN to the proxy.
            if (proxy !== undefined && use === 'start' && !trafficBlock.isOn())
              await (await getTransport()).requireReachable(urlOf(server), signal)
            return proxy
          })
        },
        // One of it, which remembers the addresses that worked.
        wireguard: lazy(async () => {
          const [{ wireGuard }, { systemTrust }] = await Promise.all([
            import('../tunnel/wireguard/wireguard'),
            import('../platform/http/trust'),
          ])
          return wireGuard({
            secureContext: () => systemTrust.secureContext(),
            proxyFor: (server) => tunnelProxy.to(server),
          })
        }),
      },
    })
  })
}
