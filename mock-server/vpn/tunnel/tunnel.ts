import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { BehindEvent, BehindStatus } from '../behind/behind'
import { type PortalPort, type RemoteClasses, remotesByClass, type ServedKind } from '../remotes'
import type { ServerIdentity } from './server-config'

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
