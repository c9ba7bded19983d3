import type { ConnectionTarget, ReconnectReason } from '../../../contract/connection'
import { CausewayError } from '../../errors'
import type { NetworkEvent, NetworkEvents } from '../../platform/network/network-events'
import type { TunnelBackend, TunnelOptions } from '../../tunnel/tunnel'
import type { AttemptTimer, AttemptTimerDependencies, TimeLimit } from '../attempts'
import type { HeldGrant } from '../held-grant'
import type { StateMachine } from '../state-machine'

export interface SupervisorDependencies extends AttemptTimerDependencies {
  readonly backend: Pick<TunnelBackend, 'openTunnel'>
  /** Watched while there is a tunnel. */
  readonly network: NetworkEvents
  readonly onDefect: (error: unknown) => void
}

/** Parameters for a supervised tunnel. */
export interface SupervisedTunnel extends TunnelOptions {
  readonly target: ConnectionTarget
  readonly grant: Pick<
    HeldGrant,
    | 'tunnel'
    | 'isExpired'
    | 'isReplacement'
    | 'isRefreshDue'
    | 'connected'
    | 'renew'
    | 'check'
    | 'refresh'
    | 'moveToTcp'
  >
  /** Reconnect when the tunnel is lost. */
  readonly reconnect: boolean
  /** Limits the time until the first `connected`. Its signal ends everything. */
  readonly limit: TimeLimit
  readonly machine: Pick<StateMachine, 'state' | 'send'>
  /** Returns true behind a captive portal; called after failures that one can cause. */
  readonly isBehindCaptivePortal: () => Promise<boolean>
  /** Returns true in another network than that of the last tunnel that was up; false where that isn't known. */
  readonly isElsewhere: () => Promise<boolean>
  readonly onConnected: () => void
  /** Called when a tunnel over TCP is up, after one over UDP didn't get through this network. */
  readonly onMovedToTcp: () => void
  readonly onLog: (line: string) => void
}

/** What the states of a supervised tunnel share. */
export interface Supervision {
  readonly dependencies: SupervisorDependencies
  readonly tunnel: SupervisedTunnel
  readonly timer: AttemptTimer
  /** Ends the wait or the tunnel that there is, so that the next attempt begins. */
  readonly interrupt: () => void
  readonly onNetwork: (event: NetworkEvent) => void
}

/** A wait before the next attempt. */
export interface Wait {
  readonly reason: ReconnectReason
  /** The time that the service wants to pass before it is asked again. */
  readonly atLeastMs?: number
  readonly handshakeFailed?: boolean
}

/** What follows a failure that isn't final: the next attempt at once, or after a wait. */
export type Verdict = 'start' | Wait

/** The number of refusals after the handshake, about half a minute, that end a connection. */
export const maxRefusals = 6

/** Returns the error with another sentence. */
export function withVariant(
  { code, details }: CausewayError,
  variant: 'by-server-only' | 'new-too',
): CausewayError {
  return CausewayError.fromReport({ code, variant, details })
}
