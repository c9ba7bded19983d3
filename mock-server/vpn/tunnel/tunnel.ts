import type { RemoteClasses } from '../remotes'
import type { ServerIdentity } from './server-config'

/** The two kinds of profile, each with servers of its own because they push different routes. */
export const servedKinds = ['default-gateway', 'other'] as const

/** One OpenVPN server as clients reach it. */
export interface TunnelServer {
  host: string
  port: number
  protocol: 'udp' | 'tcp'
  /** Which profiles it serves: those with default_gateway true, or the others. */
  serves: (typeof servedKinds)[number]
}

/** What runs behind the profiles; `GET /_mock/tunnel` answers with it. */
export type TunnelStatus =
  | { mode: 'none' }
  | {
      /** Handshakes only: no device, no packets through it. `reason` says why no more could be had. */
      mode: 'handshake'
      reason: string
      servers: TunnelServer[]
    }
  | {
      mode: 'full'
      /** The network namespace in which the servers run. */
      namespace: string
      /** An address behind the tunnel that every connected client can ping, whatever profile it uses. */
      pingAddress: string
      servers: TunnelServer[]
    }

export interface TunnelOptions {
  identity: Omit<ServerIdentity, 'refusedFolder'>
  /** Whether profiles with default_gateway true really push a default route; see startTunnel. */
  pushDefaultRoute: boolean
}

/** The servers behind the profiles. */
export interface Tunnel {
  readonly status: TunnelStatus
  /** The remotes for a profile with this default_gateway. */
  remotes(defaultGateway: boolean): RemoteClasses
  /** From now on refuses the certificate with this serial number, in hexadecimal. */
  refuse(serialNumber: string): void
  close(): Promise<void>
}

/** The servers for a profile with this default_gateway, as remotes of the normal class; there are no special ones. */
export function remotesAmong(servers: TunnelServer[], defaultGateway: boolean): RemoteClasses {
  const kind = defaultGateway ? 'default-gateway' : 'other'
  const remotes = (protocol: 'udp' | 'tcp') =>
    servers
      .filter((server) => server.serves === kind && server.protocol === protocol)
      .map(({ host, port }) => ({ host, port, protocol }))
  return { normal: { udp: remotes('udp'), tcp: remotes('tcp') }, special: { udp: [], tcp: [] } }
}
