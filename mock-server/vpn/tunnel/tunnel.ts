import type { RemoteClasses } from '../remotes'

/** One OpenVPN server as clients reach it. */
export interface TunnelServer {
  host: string
  port: number
  protocol: 'udp' | 'tcp'
  /** Which profiles it serves: those with default_gateway true, or the others. */
  serves: 'default-gateway' | 'other'
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

/** The servers behind the profiles. */
export interface Tunnel {
  readonly status: TunnelStatus
  /** The remotes for a profile with this default_gateway. */
  remotes(defaultGateway: boolean): RemoteClasses
  /** From now on refuses the certificate with this serial number, in hexadecimal. */
  refuse(serialNumber: string): void
  close(): Promise<void>
}
