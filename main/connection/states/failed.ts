import { type Transitions, stays } from '../transitions'
import { connect } from './shared'

/** The connection has ended with an error. The portal may still hold its configuration. */
export const failed: Transitions<'failed'> = {
  connect,
  disconnect: stays('only the portal is told, so that the error stays visible'),
  reconnect: stays('there is no tunnel'),
  retry: stays('only a new connection can succeed'),
}
