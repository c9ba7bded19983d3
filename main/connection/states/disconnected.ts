import { type Transitions, stays } from '../transitions'
import { connect } from './shared'

/** A person, or another process, has ended the connection, and nothing is left of it. */
export const disconnected: Transitions<'disconnected'> = {
  connect,
  disconnect: stays('there is nothing to end'),
  reconnect: stays('there is no tunnel'),
  retry: stays('there is no attempt'),
}
