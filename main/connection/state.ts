import type { DisconnectedBy } from '../../preload/connection-contract'
import type { ReconnectReason } from '../../preload/reconnect-reasons'
import type { ErrorReport } from '../errors'
import type { TunnelDns, TunnelPhase } from '../tunnel/tunnel'

/** What the user asked to be connected to. */
export interface ConnectionTarget {
  readonly instanceId: string
  readonly profileId: string
}

/**
 * The one connection, as INTERFACES and the window show it. `idle` is before the first attempt.
 *
 * discovering → authorizing (only when a login is needed) → preparing (key pair, configuration) → connecting →
 * connected → (reconnecting → connected)… → disconnecting → disconnected; failed from any of them.
 */
export type ConnectionState =
  | { readonly state: 'idle' }
  | { readonly state: 'discovering' | 'authorizing' | 'preparing'; readonly target: ConnectionTarget }
  | {
      readonly state: 'connecting'
      readonly target: ConnectionTarget
      readonly phase: Exclude<TunnelPhase, 'verifying'> | 'tls'
      readonly remote?: { readonly address: string; readonly port: number; readonly protocol: 'udp' | 'tcp' }
    }
  | {
      readonly state: 'connected'
      readonly target: ConnectionTarget
      readonly addresses: { readonly ipv4?: string; readonly ipv6?: string }
      readonly remote: { readonly address: string; readonly port: number; readonly protocol: 'udp' | 'tcp' }
      readonly cipher?: string
      readonly allTraffic?: boolean
      /** The name servers that were pushed, and whether the system uses them. */
      readonly dns?: TunnelDns
      /** The tunnel's network device; absent after a handshake alone. */
      readonly device?: string
      readonly since: Date
    }
  | {
      readonly state: 'reconnecting'
      readonly target: ConnectionTarget
      readonly reason: ReconnectReason
      /** Of the attempt under way, or of the next one; counted from 1 since the tunnel was last up. */
      readonly attempt: number
      /** Absent while an attempt is under way, and while it is not known when the next one will be. */
      readonly nextAttemptAt?: Date
      /** There is no way out: the next attempt is made when there is one again. */
      readonly waitingForNetwork?: true
      /** There has been no tunnel yet: traffic is not held back by one. */
      readonly notYetConnected?: true
    }
  | {
      readonly state: 'disconnecting' | 'disconnected'
      readonly target: ConnectionTarget
      /** Absent where this process ended it itself. */
      readonly by?: DisconnectedBy | undefined
      /** It was given up before there was a tunnel. */
      readonly notYetConnected?: true | undefined
    }
  | { readonly state: 'failed'; readonly target: ConnectionTarget; readonly error: ErrorReport }
