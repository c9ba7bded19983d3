import { isDeepStrictEqual } from 'node:util'
import type { ConnectionState, DisconnectedBy, RoutesLeft } from '../../../contract/connection'
import { isNotYetConnected } from '../../../contract/connection-summary'
import type { TunnelPhase } from '../../tunnel/tunnel'
import { type EventOf, type StateName, type StateOf, stays, to } from '../transitions'

type UnderWay = StateOf<Exclude<StateName, 'idle' | 'disconnecting' | 'disconnected' | 'failed'>>

const end = (state: UnderWay, by?: DisconnectedBy): StateOf<'disconnecting'> => ({
  state: 'disconnecting',
  target: state.target,
  by,
  ...(isNotYetConnected(state) && { notYetConnected: true }),
})

/** Returns which routes stand while the tunnel is restored, and if they carry all traffic. `routes` events tell of changes. */
export const whatStays = (state: UnderWay, routes: RoutesLeft) => ({
  routes,
  allTraffic:
    routes === 'kept' && (state.state === 'connected' || state.state === 'reconnecting')
      ? state.allTraffic
      : undefined,
})

/** The first step of every connection. */
export const connect = to('discovering', (_state: unknown, { target }: EventOf<'connect'>) => ({
  state: 'discovering',
  target,
}))

/** Ends what there is for a connection to another profile, or for another try. */
export const switchTo = (
  state: UnderWay | StateOf<'disconnecting'>,
  { target }: EventOf<'connect'>,
): StateOf<'disconnecting'> => ({
  state: 'disconnecting',
  target,
  switching: true,
  from: ended(state),
  ...(isDeepStrictEqual(ended(state), target) && { again: true }),
})

/** Returns what is being ended. */
const ended = (state: UnderWay | StateOf<'disconnecting'>) =>
  (state.state === 'disconnecting' ? state.from : undefined) ?? state.target

export const failed = to(
  'failed',
  (state: UnderWay | StateOf<'disconnecting'>, { error }: EventOf<'failed'>) => ({
    state: 'failed',
    target: ended(state),
    error,
  }),
)

/** How every state ends that is on the way to a tunnel or has one. */
const underWay = {
  // The new connection begins when nothing is left of this one.
  connect: to('disconnecting', switchTo),
  disconnect: to('disconnecting', (state: UnderWay, { by }: EventOf<'disconnect'>) => end(state, by)),
  failed,
  wait: to(
    'reconnecting',
    ({ target }: UnderWay, { event: _event, nextAttemptAt, ...attempt }: EventOf<'wait'>) => ({
      state: 'reconnecting',
      target,
      ...attempt,
      ...(nextAttemptAt === undefined ? { waitingForNetwork: true } : { nextAttemptAt }),
    }),
  ),
}

/** Returns what stays the same on the way to a tunnel. */
const ofAttempt = (state: UnderWay) => ({
  target: state.target,
  ...('switching' in state && state.switching && { switching: state.switching }),
  ...('again' in state && state.again && { again: state.again }),
})

export const login = to('authorizing', (state: UnderWay) => ({ state: 'authorizing', ...ofAttempt(state) }))
export const prepare = to('preparing', (state: UnderWay) => ({ state: 'preparing', ...ofAttempt(state) }))

/** Returns the name of a phase in `--json` and the window. */
export const shownPhase = (name: TunnelPhase) => (name === 'verifying' ? 'tls' : name)

export const phase = to('connecting', (state: UnderWay, event: EventOf<'phase'>) => ({
  state: 'connecting',
  ...ofAttempt(state),
  phase: shownPhase(event.phase),
  remote: event.remote,
}))

/** Every state before the tunnel's program runs. */
export const beforeTunnel = {
  ...underWay,
  reconnect: stays('there is no tunnel yet'),
  retry: stays('the attempt runs already'),
}

/** Returns the number of the attempt after this state. */
export const attemptAfter = (state: ConnectionState): number =>
  state.state === 'reconnecting' ? state.attempt + 1 : 1

/** Every state in which a tunnel's program may run. */
export const withTunnel = {
  ...underWay,
  connected: to('connected', ({ target }: UnderWay, { details, protocol, since }: EventOf<'connected'>) => ({
    state: 'connected',
    target,
    ...details,
    protocol,
    since,
  })),
  // The tunnel stays: its device and routes keep traffic from bypassing it.
  network: to('reconnecting', (state: UnderWay, { change, routes }: EventOf<'network'>) => {
    const before = state.state === 'reconnecting' ? state : undefined
    const { target } = state
    if (change === 'down') {
      const attempt = before?.attempt ?? 1
      return {
        state: 'reconnecting',
        target,
        reason: 'network-down',
        attempt,
        ...whatStays(state, routes),
        waitingForNetwork: true,
      }
    }
    return {
      state: 'reconnecting',
      target,
      reason: change === 'resumed' ? 'resumed-from-sleep' : 'network-changed',
      attempt: before?.waitingForNetwork ? 1 : attemptAfter(state),
      ...whatStays(state, routes),
    }
  }),
}

/** A tunnel that was up is lost, or another attempt to restore it has failed. */
export const restarting = to(
  'reconnecting',
  (state: UnderWay, { reason, routes }: EventOf<'restarting'>) => ({
    state: 'reconnecting',
    target: state.target,
    reason,
    attempt: attemptAfter(state),
    ...whatStays(state, routes),
  }),
)
