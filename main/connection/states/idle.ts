import { type Transitions, stays } from '../transitions'
import { connect } from './shared'

/** There was no connection yet. */
export const idle: Transitions<'idle'> = {
  connect,
  disconnect: stays('there is nothing to end'),
  reconnect: stays('there is no tunnel'),
  retry: stays('there is no attempt'),
}
