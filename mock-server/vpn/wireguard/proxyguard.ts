import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { createServer } from 'node:https'
import type { Duplex } from 'node:stream'
import { framed, obeyParent } from '../tunnel/obey-parent'
import type { ProxyFault, ProxyOrder } from './wireguard'

/** A ProxyGuard server (api-v3-facts.md, section 5.3), in a process of its own that carries out ProxyOrders. */

const refusals: Partial<Record<ProxyFault, string>> = {
  'answers-200': '200 OK',
  'answers-401': '401 Unauthorized',
  'answers-502': '502 Bad Gateway',
  'answers-503': '503 Service Unavailable',
}

/** The portal passes on this path alone; everything else is answered by its web server. */
const path = '/proxyguard/node'
/** ProxyGuard ends a connection on which the client has been silent for so long. */
const silenceLimitMs = 60_000
const protocol = 'UoTLV/1'
const upgrade = `Upgrade: ${protocol}`

/** Returns an answer as the web server of a portal sends it, which is in front of ProxyGuard. */
function answer(status: string, lines: readonly string[], body = ''): string {
  const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`, 'Connection: close']
  const head = [`HTTP/1.1 ${status}`, `Date: ${new Date().toUTCString()}`, 'Server: Apache']
  return `${[...head, ...lines, ...length].join('\r\n')}\r\n\r\n${body}`
}

function page(status: string): string {
  const body = `<!DOCTYPE HTML PUBLIC "-//IETF//DTD HTML 2.0//EN">
<html><head>
<title>${status}</title>
</head><body>
<h1>${status.slice(4)}</h1>
</body></html>
`
  return answer(status, ['Content-Type: text/html; charset=iso-8859-1'], body)
}

/** Returns what ProxyGuard itself refuses a request with, as text. */
function text(status: string, words: string, ...lines: string[]): string {
  const type = ['Content-Type: text/plain; charset=utf-8', 'X-Content-Type-Options: nosniff']
  return answer(status, [...type, ...lines], `${words}\n`)
}

/** Returns the answer to a request that gets no connection. */
function refusal({ url = '', method, headers }: IncomingMessage): string | undefined {
  const faulty = fault && refusals[fault]
  if (faulty !== undefined) return page(faulty)
  if (url.split('?')[0] !== path) return page('404 Not Found')
  if (method !== 'GET') return text('501 Not Implemented', 'Method Not Allowed')
  const { connection = '', upgrade: asked = '' } = headers
  const [header, wanted, got] = /\bupgrade\b/i.test(connection)
    ? ['Upgrade', protocol, asked]
    : ['Connection', 'Upgrade', connection]
  if (got.toLowerCase() === protocol.toLowerCase()) return undefined
  const words = `the '${header}' header is not '${wanted}', got: '${got}'`
  return text('426 Upgrade Required', words, upgrade)
}

let fault: ProxyFault | undefined
let wireguardPort = 0
const connections = new Set<Duplex>()
const server = createServer({ minVersion: 'TLSv1.3', noDelay: true }, (request, response) => {
  const { socket } = request
  if (fault === 'stalls') return
  // The answers are written as they are: Node would add and order headers.
  response.detachSocket(socket)
  socket.end(refusal(request) ?? '')
})

server.on('connection', (socket) => {
  connections.add(socket)
  socket.once('close', () => connections.delete(socket))
  if (fault === 'closes') socket.destroy()
})

server.on('upgrade', (request, socket, head) => {
  socket.on('error', () => undefined)
  if (fault === 'stalls') return
  const refused = refusal(request)
  if (refused !== undefined) {
    socket.end(refused)
    return
  }
  socket.write(answer('101 Switching Protocols', [upgrade, 'Connection: Upgrade']))
  relay(socket, head)
})

/** Passes datagrams between a client and the WireGuard server, each after its length in network order. */
function relay(client: Duplex, head: Buffer): void {
  const udp = createSocket('udp4')
  const silence = setTimeout(() => client.destroy(), fault === 'impatient' ? 1000 : silenceLimitMs)
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
  client.on('data', (chunk: Buffer) => {
    silence.refresh()
    forward(chunk)
  })
  client.once('close', () => {
    clearTimeout(silence)
    udp.close()
  })
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

obeyParent((order) => obey(order as ProxyOrder))
