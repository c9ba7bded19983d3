import { type Transitions, stays } from '../transitions'
import { beforeTunnel, prepare } from './shared'

/** A person signs in, in the browser. */
export const authorizing: Transitions<'authorizing'> = {
  ...beforeTunnel,
  login: stays('the same login is asked for again'),
  prepare,
}
