import { createSocket } from 'node:dgram'
import { createServer } from 'node:https'
import { createInterface } from 'node:readline'
import type { Duplex } from 'node:stream'
import type { ProxyFault, ProxyOrder } from './proxy-orders'

/**
 * A ProxyGuard server (api-v3-facts.md, section 5.3) as a process of its own, because Node can't listen in another network
 * namespace. It reads one ProxyOrder per line from standard input, acknowledges each with a line, and ends with its input.
 */

const statusLines: Partial<Record<ProxyFault, string>> = {
  'answers-200': '200 OK',
  'answers-401': '401 Unauthorized',
  'answers-502': '502 Bad Gateway',
}
const lengthBytes = 2

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
  let rest = head
  const forward = (bytes: Buffer) => {
    if (fault === 'stalls') return
    rest = Buffer.concat([rest, bytes])
    while (rest.length >= lengthBytes && rest.length >= lengthBytes + rest.readUInt16BE()) {
      const end = lengthBytes + rest.readUInt16BE()
      udp.send(rest.subarray(lengthBytes, end), wireguardPort, '127.0.0.1')
      rest = rest.subarray(end)
    }
  }
  udp.on('message', (datagram) => {
    // A client that doesn't read loses datagrams, as over UDP.
    if (fault === 'stalls' || client.writableNeedDrain) return
    const length = Buffer.alloc(lengthBytes)
    length.writeUInt16BE(datagram.length)
    client.write(Buffer.concat([length, datagram]))
  })
  udp.on('error', () => client.destroy())
  client.on('data', forward)
  client.once('close', () => udp.close())
  forward(Buffer.alloc(0))
}

function obey(order: ProxyOrder, done: () => void): void {
  if ('fault' in order) {
    fault = order.fault ?? undefined
    if (fault === 'closes') for (const connection of connections) connection.destroy()
    done()
    return
  }
  server.setSecureContext({ ...order.identity, minVersion: 'TLSv1.3' })
  wireguardPort = order.wireguardPort
  if (server.listening) done()
  else server.listen(order.port, '0.0.0.0', done)
}

const lines = createInterface({ input: process.stdin })
lines.on('line', (line) => {
  obey(JSON.parse(line) as ProxyOrder, () => {
    process.stdout.write('{"done":true}\n')
  })
})
lines.once('close', () => process.exit())
