import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { BehindEvent, BehindNetwork, BehindStatus } from '../behind/behind'
import { type PortalPort, portalPorts, type RemoteClasses, remotesByClass, type ServedKind } from '../remotes'
import type { Refusal, RefusedIn } from './refusals'
import type { ServerIdentity } from './server-config'

/** A tunnel without OpenVPN: the remotes look real, but nothing listens there. */
export const noTunnel: Tunnel = {
  status: { mode: 'none' },
  remotes: (_defaultGateway, host = '127.0.0.1') =>
    remotesByClass(portalPorts.map((place) => ({ ...place, host }))),
  refuse: () => undefined,
  accept: () => undefined,
  disconnect: () => Promise.resolve(),
  refuseAll: () => undefined,
  act: () => Promise.resolve(),
  move: () => Promise.resolve(),
  changeIdentity: () => Promise.resolve(),
  close: () => Promise.resolve(),
}

export interface TunnelServer extends PortalPort {
  host: string
  /** The profiles that it serves: those with default_gateway true, or the others. */
  serves: ServedKind
}

/** The states of the servers: answering, stopped, or not answering. */
export type Running = 'running' | 'stopped' | 'frozen'

const tunnelActions = ['stop', 'start', 'freeze', 'thaw', 'restart'] as const
export type TunnelAction = (typeof tunnelActions)[number]
export const allTunnelActions = [...tunnelActions, 'move', 'renew-authority'] as const

interface ServersStatus {
  running: Running
  /** The reason why the servers could not be started again. */
  failure?: string
  servers: TunnelServer[]
}

/** The status of the servers; the answer of `GET /_mock/tunnel`. */
export type TunnelStatus =
  | { mode: 'none' }
  | (ServersStatus & {
      /** Handshakes only, without a device and packets. `reason` says why a full tunnel isn't possible. */
      mode: 'handshake'
      reason: string
    })
  | (ServersStatus & {
      mode: 'full'
      /** The network namespace in which the servers run. */
      namespace: string
      /** An address behind the tunnel that connected clients of all profiles can ping. */
      pingAddress: string
      /** The network behind the tunnel. */
      behind: BehindStatus
    })

export interface TunnelOptions {
  identity: ServerIdentity
  pushDefaultRoute: boolean
  host?: string | undefined
  firstPort?: number | undefined
  hooks?: boolean | undefined
  onClient: (commonName: string) => void
  onEvent?: (event: BehindEvent) => void
}

export interface Tunnel {
  readonly status: TunnelStatus
  readonly behind?: BehindNetwork
  /** Returns the remotes for a profile with this default_gateway, for a client that reaches the mock at `host`. */
  remotes(defaultGateway: boolean, host?: string): RemoteClasses
  /** Refuses the certificate with this hexadecimal serial number from now on; without hooks, always in the handshake. */
  refuse(serialNumber: string, refusedIn: RefusedIn): void
  accept(serialNumber: string): void
  /** Disconnects the clients with this common name. Resolves within about a second, also for frozen servers. */
  disconnect(commonName: string): Promise<void>
  /** Replaces the refusal of all clients; without an argument, withdraws it. Only in mode `full`. */
  refuseAll(refusal?: Refusal): void
  act(action: TunnelAction): Promise<void>
  /** Restarts the servers at other ports. Never rejects, like `act`. */
  move(): Promise<void>
  /** Restarts the servers with other keys and certificates. Never rejects, like `act`. */
  changeIdentity(identity: ServerIdentity): Promise<void>
  close(): Promise<void>
}

/** Returns the servers for a profile with this default_gateway as remotes, at `host` if it is given. */
export function remotesAmong(
  servers: readonly TunnelServer[],
  defaultGateway: boolean,
  host?: string,
): RemoteClasses {
  const kind = defaultGateway ? 'default-gateway' : 'other'
  return remotesByClass(
    servers
      .filter(({ serves }) => serves === kind)
      .map((server) => (host === undefined ? server : { ...server, host })),
  )
}

export async function freePort(protocol: 'udp' | 'tcp'): Promise<number> {
  const host = '127.0.0.1'
  const socket = protocol === 'udp' ? createSocket('udp4').bind(0, host) : createServer().listen(0, host)
  await once(socket, 'listening')
  const address = socket.address()
  socket.close()
  if (address === null || typeof address === 'string') throw new Error('No free port could be found.')
  return address.port
}
