import type { Connection } from '../../connection/connection'
import { isoTimes } from '../../connection/iso-times'
import type { Log } from '../../platform/log/log'

/** Logs every state of the connection and every line of OpenVPN's log. */
export function logConnection(connection: Pick<Connection, 'onChange' | 'onLog'>, log: Log): void {
  connection.onChange((state) => {
    log.write(state.state === 'failed' ? 'error' : 'info', 'connection', 'state', {
      ...state,
      ...isoTimes(state),
    })
  })
  connection.onLog((line) => {
    log.write('info', 'openvpn', 'line', { line })
  })
}
