import { remotesByClass, type RemoteClasses } from '../remotes'
import type { Refusal, RefusedIn } from './refusals'
import type { ServerIdentity } from './server-config'

/** The two kinds of profile, each with servers of its own because they push different routes. */
export const servedKinds = ['default-gateway', 'other'] as const
export type ServedKind = (typeof servedKinds)[number]

/** One OpenVPN server as clients reach it. */
export interface TunnelServer {
  host: string
  port: number
  protocol: 'udp' | 'tcp'
  /** Whether the port is one of those that get through where the normal ones are blocked. */
  class: 'normal' | 'special'
  /** Which profiles it serves: those with default_gateway true, or the others. */
  serves: ServedKind
}

/** What the servers do: answer, not exist, or say nothing to anybody. */
export type Running = 'running' | 'stopped' | 'frozen'

/** What can be done to the servers. */
export const tunnelActions = ['stop', 'start', 'freeze', 'thaw', 'restart'] as const
export type TunnelAction = (typeof tunnelActions)[number]

interface ServersStatus {
  running: Running
  /** Why the servers could not be started again. */
  failure?: string
  servers: TunnelServer[]
}

/** What runs behind the profiles; `GET /_mock/tunnel` answers with it. */
export type TunnelStatus =
  | { mode: 'none' }
  | (ServersStatus & {
      /** Handshakes only: no device, no packets through it. `reason` says why no more could be had. */
      mode: 'handshake'
      reason: string
    })
  | (ServersStatus & {
      mode: 'full'
      /** The network namespace in which the servers run. */
      namespace: string
      /** An address behind the tunnel that every connected client can ping, whatever profile it uses. */
      pingAddress: string
    })

export interface TunnelOptions {
  identity: ServerIdentity
  /** Whether profiles with default_gateway true really push a default route; see startTunnel. */
  pushDefaultRoute: boolean
  /** False: servers run no hooks, so that connecting is faster and refusals work in TLS only. */
  hooks?: boolean | undefined
  /** Told the common name of every certificate that a server has verified. */
  onClient: (commonName: string) => void
}

/** The servers behind the profiles. */
export interface Tunnel {
  readonly status: TunnelStatus
  /** The remotes for a profile with this default_gateway. */
  remotes(defaultGateway: boolean): RemoteClasses
  /** From now on refuses the certificate with this serial number, in hexadecimal; always in the handshake without hooks. */
  refuse(serialNumber: string, refusedIn: RefusedIn): void
  /** Refuses it no longer. */
  accept(serialNumber: string): void
  /** Refuses everybody in this way, in place of the way before; nobody when it is left out. Only with mode `full`. */
  refuseAll(refusal?: Refusal): void
  /** Does this to the servers. Never rejects: the status says what became of it. */
  act(action: TunnelAction): Promise<void>
  /** Starts the servers anew at other ports. Never rejects, as `act`. */
  move(): Promise<void>
  /** Starts the servers anew with other keys and certificates. Never rejects, as `act`. */
  changeIdentity(identity: ServerIdentity): Promise<void>
  close(): Promise<void>
}

/** The servers for a profile with this default_gateway, as remotes. */
export function remotesAmong(servers: TunnelServer[], defaultGateway: boolean): RemoteClasses {
  const kind = defaultGateway ? 'default-gateway' : 'other'
  return remotesByClass(servers.filter(({ serves }) => serves === kind))
}
