import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:https'
import type { Duplex } from 'node:stream'
import { framed, obeyLines } from '../tunnel/obey-lines'
import type { ProxyFault, ProxyOrder } from './wireguard'

/** A ProxyGuard server (api-v3-facts.md, section 5.3), in a process of its own that carries out ProxyOrders. */

const statusLines: Partial<Record<ProxyFault, string>> = {
  'answers-200': '200 OK',
  'answers-401': '401 Unauthorized',
  'answers-502': '502 Bad Gateway',
}

let fault: ProxyFault | undefined
let wireguardPort = 0
const connections = new Set<Duplex>()
const server = createServer({ minVersion: 'TLSv1.3', noDelay: true }, (_request, response) => {
  response.writeHead(426).end()
})

server.on('connection', (socket) => {
  connections.add(socket)
  socket.once('close', () => connections.delete(socket))
  if (fault === 'closes') socket.destroy()
})

server.on('upgrade', (request, socket, head) => {
  socket.on('error', () => undefined)
  if (fault === 'stalls') return
  const isUoTlv = request.headers.upgrade?.toLowerCase() === 'uotlv/1'
  const refusal = isUoTlv ? fault && statusLines[fault] : '426 Upgrade Required'
  if (refusal !== undefined) {
    socket.end(`HTTP/1.1 ${refusal}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`)
    return
  }
  socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: UoTLV/1\r\n\r\n')
  relay(socket, head)
})

/** Passes datagrams between a client and the WireGuard server, each after its length in network order. */
function relay(client: Duplex, head: Buffer): void {
  const udp = createSocket('udp4')
  const forward = framed((datagram) => {
    if (fault !== 'stalls') udp.send(datagram, wireguardPort, '127.0.0.1')
  })
  udp.on('message', (datagram) => {
    // A client that doesn't read loses datagrams, as over UDP.
    if (fault === 'stalls' || client.writableNeedDrain) return
    const length = Buffer.alloc(2)
    length.writeUInt16BE(datagram.length)
    client.write(Buffer.concat([length, datagram]))
  })
  udp.on('error', () => client.destroy())
  client.on('data', forward)
  client.once('close', () => udp.close())
  forward(head)
}

async function obey(order: ProxyOrder): Promise<void> {
  if ('fault' in order) {
    fault = order.fault ?? undefined
    if (fault === 'closes') for (const connection of connections) connection.destroy()
    return
  }
  server.setSecureContext({ ...order.identity, minVersion: 'TLSv1.3' })
  wireguardPort = order.wireguardPort
  if (server.listening) return
  server.listen(order.port, '0.0.0.0')
  await once(server, 'listening')
}

obeyLines((order) => obey(order as ProxyOrder))
