import { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'

/**
 * Ends a connection with a TCP reset, if it is still open. Only the socket below TLS can be reset: on a TLSSocket,
 * `resetAndDestroy` throws. Node documents no name for the lower socket; without one, the connection is closed instead.
 */
export function resetConnection(socket: Socket): void {
  if (socket.destroyed) return
  const lower: unknown = socket instanceof TLSSocket ? Reflect.get(socket, '_parent') : socket
  if (lower instanceof Socket) lower.resetAndDestroy()
  else socket.destroy()
}
