import { createSocket } from 'node:dgram'
import { createServer } from 'node:net'
import { once } from 'node:events'

/** Returns a currently free port on 127.0.0.1. */
export async function freePort(protocol: 'udp' | 'tcp'): Promise<number> {
  if (protocol === 'udp') {
    const socket = createSocket('udp4')
    socket.bind(0, '127.0.0.1')
    await once(socket, 'listening')
    const { port } = socket.address()
    socket.close()
    return port
  }
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (address === null || typeof address === 'string') throw new Error('No free port could be found.')
  return address.port
}
