import { type Transitions, stays } from '../transitions'
import { beforeTunnel, login, phase } from './shared'

/** The portal is asked for a grant. */
export const preparing: Transitions<'preparing'> = {
  ...beforeTunnel,
  // The portal doesn't accept the token.
  login,
  prepare: stays('the portal is being asked already'),
  phase,
}
