import type {
  ConnectionState,
  ConnectionTarget,
  DisconnectedBy,
  ReconnectReason,
  RoutesLeft,
} from '../../contract/connection'
import type { ErrorReport } from '../../contract/error-codes'
import type { NetworkEvent } from '../platform/network/network-events'
import type { GrantedTunnel, TunnelEvent } from '../tunnel/tunnel'

export type StateName = ConnectionState['state']

/** The state with this name, of those that the contract declares. */
export type StateOf<Name extends StateName> = Named<ConnectionState, Name>
type Named<States, Name> = States extends { readonly state: infer Names }
  ? Name extends Names
    ? States & { readonly state: Name }
    : never
  : never

/** What a person or another process asks for. */
export type Command =
  | { readonly event: 'connect'; readonly target: ConnectionTarget }
  /** `by`: the other process that asks for it. */
  | { readonly event: 'disconnect'; readonly by?: DisconnectedBy | undefined }
  /** Restarts a tunnel that is up; otherwise ends the wait for the next attempt. `routes`: whether the tunnel's stand. */
  | { readonly event: 'reconnect'; readonly routes: RoutesLeft }
  /** Like `reconnect`, but leaves a tunnel through which something passes as it is. */
  | { readonly event: 'retry'; readonly routes: RoutesLeft }

type OfTunnel<Name extends TunnelEvent['event']> = Extract<TunnelEvent, { readonly event: Name }>

/** What happens to a connection. */
type ObservedEvent =
  /** The next attempt begins with the first request. */
  | { readonly event: 'discover' }
  /** A login is needed. */
  | { readonly event: 'login' }
  /** The portal is asked for a grant, also to replace one before the first tunnel. */
  | { readonly event: 'prepare' }
  | OfTunnel<'phase' | 'restarting' | 'routes' | 'passing' | 'handshake' | 'apps'>
  | (OfTunnel<'connected'> & { readonly protocol: GrantedTunnel['protocol']; readonly since: number })
  /** The tunnel's program has ended, and its routes are gone. `reason`: why one that was up is restored. */
  | { readonly event: 'ended'; readonly reason?: ReconnectReason | undefined }
  /** The network of a tunnel has changed. */
  | {
      readonly event: 'network'
      readonly change: Exclude<NetworkEvent, 'routes'>
      readonly routes: RoutesLeft
    }
  /** The next attempt waits: until its time, or for a network. */
  | ({ readonly event: 'wait' } & Pick<
      StateOf<'reconnecting'>,
      'reason' | 'attempt' | 'routes' | 'nextAttemptAt' | 'notYetConnected'
    >)
  /** The next attempt begins with a tunnel. */
  | { readonly event: 'attempt' }
  /** Nothing is left of the tunnel or the attempt, after a disconnect or for a switch. */
  | { readonly event: 'stopped' }
  /** After a switch, the new connection begins. */
  | { readonly event: 'begin'; readonly target: ConnectionTarget }
  | { readonly event: 'failed'; readonly error: ErrorReport }

export type ConnectionEvent = Command | ObservedEvent

export type EventOf<Name extends ConnectionEvent['event']> = Extract<
  ConnectionEvent,
  { readonly event: Name }
>

/** The answer of a state to an event. */
export type Transition<State, Event> =
  | { readonly to: readonly StateName[]; readonly next: (state: State, event: Event) => ConnectionState }
  /** The event changes nothing, for this reason. */
  | { readonly stays: string }

/**
 * The transitions of a state: one for each command, so that none is ignored without a reason, and one for everything that can
 * happen in it. Anything else that happens is a defect.
 */
export type Transitions<Name extends StateName> = {
  readonly [Event in Command['event']]: Transition<StateOf<Name>, EventOf<Event>>
} & {
  readonly [Event in ObservedEvent['event']]?: Transition<StateOf<Name>, EventOf<Event>>
}

/** Leads to one of the named states. */
export function to<Name extends StateName, State, Event>(
  names: Name | readonly Name[],
  next: (state: State, event: Event) => StateOf<Name>,
): { readonly to: readonly StateName[]; readonly next: (state: State, event: Event) => ConnectionState } {
  return { to: typeof names === 'string' ? [names] : names, next }
}

export function stays(reason: string): { readonly stays: string } {
  return { stays: reason }
}
