import type { RemoteClasses } from '../remotes'
import { TcpFront } from './handshake-tcp'
import { UdpFront } from './handshake-udp'
import { RefusedCertificates } from './refused-certificates'
import { handshakeServerConfig, type Listen } from './server-config'
import { readyLines, ServerProcess } from './server-process'
import { remotesAmong, servedKinds, type Tunnel, type TunnelOptions, type TunnelServer } from './tunnel'

/**
 * Servers on loopback that need no right at all: real handshakes with real pushes, and no packets through them.
 * `reason` says why no more could be had.
 */
export async function startHandshakeTunnel(options: TunnelOptions, reason: string): Promise<Tunnel> {
  const refused = new RefusedCertificates()
  const identity = { ...options.identity, refusedFolder: refused.folder }
  const fronts = servedKinds.flatMap((serves) => {
    const start = (listen: Listen) =>
      ServerProcess.start(
        handshakeServerConfig(identity, listen, {
          prefix: '10.88.0',
          prefix6: 'fd88::',
          testPrefix: '10.99.0',
          redirectsAll: serves === 'default-gateway' && options.pushDefaultRoute,
        }),
        readyLines.handshake,
      )
    return [
      { serves, protocol: 'udp', front: new UdpFront(start) },
      { serves, protocol: 'tcp', front: new TcpFront(start) },
    ] as const
  })
  const servers = await Promise.all(
    fronts.map(async ({ serves, protocol, front }): Promise<TunnelServer> => ({
      host: '127.0.0.1',
      port: await front.listen(),
      protocol,
      serves,
    })),
  )
  return {
    status: { mode: 'handshake', reason, servers },
    remotes: (defaultGateway): RemoteClasses => remotesAmong(servers, defaultGateway),
    refuse: (serialNumber) => {
      refused.add(serialNumber)
    },
    close: async () => {
      await Promise.all(fronts.map(({ front }) => front.close()))
      refused.remove()
    },
  }
}
