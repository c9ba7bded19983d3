import { type EventOf, type StateOf, type Transitions, to } from '../transitions'
import { whatStays, phase, restarting, withTunnel } from './shared'

const requested = (
  state: StateOf<'connected'>,
  { routes }: EventOf<'reconnect' | 'retry'>,
): StateOf<'reconnecting'> => ({
  state: 'reconnecting',
  target: state.target,
  reason: 'requested',
  attempt: 1,
  ...whatStays(state, routes),
})

/** The tunnel is up. */
export const connected: Transitions<'connected'> = {
  ...withTunnel,
  reconnect: to('reconnecting', requested),
  retry: to(['connected', 'reconnecting'], (state, event) =>
    state.passing === false ? requested(state, event) : state,
  ),
  // Only a new start leads back: a tunnel that is up also goes through phases when it agrees on new keys.
  phase: to(['connected', 'connecting'], (state, event) =>
    event.phase === 'starting' ? phase.next(state, event) : state,
  ),
  restarting,
  routes: to('connected', ({ target, protocol, passing, since }, { details }) => ({
    state: 'connected',
    target,
    ...details,
    protocol,
    ...(passing === false && { passing }),
    since,
  })),
  passing: to('connected', ({ passing: _before, ...state }, { passing }) =>
    passing ? state : { ...state, passing },
  ),
  apps: to('connected', (state, { apps }) => ({ ...state, apps })),
  handshake: to('connected', (state, { at }) => ({ ...state, handshakeAt: at })),
  // Nothing carries traffic any more, also while the portal is asked what that means.
  ended: to(['connected', 'reconnecting'], (state, { reason }) =>
    reason === undefined
      ? state
      : { state: 'reconnecting', target: state.target, reason, attempt: 1, routes: 'gone' },
  ),
}
