import * as dns from 'dns-packet'
import { createSocket } from 'node:dgram'
import { createServer } from 'node:http'
import { createServer as createTcpServer, isIPv6, type AddressInfo, type Server, type Socket } from 'node:net'
import { once } from 'node:events'
import { framed, obeyParent, report } from '../tunnel/obey-parent'
import type { BehindEvent, BehindOrder, DnsRecords } from './behind'

/** The network behind a tunnel, in a process of its own: a DNS server, a page with the client's address, and a sink (RFC 863). */

let own: readonly string[] = []
let records: DnsRecords = {}

const tell = (event: BehindEvent) => {
  report({ event })
}
const at = (address = '', port = 0) => (isIPv6(address) ? `[${address}]:${port}` : `${address}:${port}`)

const rcodes = { noError: 0, serverFailure: 2, noSuchName: 3, notImplemented: 4 }
/** Types of records that the library knows by their numbers only. */
const typeNames: Record<string, string> = { UNKNOWN_64: 'SVCB', UNKNOWN_65: 'HTTPS' }
const ttlSeconds = 1

/** Returns the answer to a question; undefined for none. Every name resolves to this network, except below `invalid`. */
function resolved(name: string, type: string): { rcode: number; addresses: string[] } | undefined {
  const given = Object.hasOwn(records, name) ? records[name] : /(^|\.)invalid$/.test(name) ? [] : own
  if (given === undefined || given === 'no-answer') return undefined
  if (given === 'server-failure') return { rcode: rcodes.serverFailure, addresses: [] }
  if (given.length === 0) return { rcode: rcodes.noSuchName, addresses: [] }
  const addresses = given.filter((address) => type === (isIPv6(address) ? 'AAAA' : 'A'))
  return { rcode: rcodes.noError, addresses }
}

/** Returns a query; undefined for a message that isn't one, which servers ignore. */
function queryIn(message: Buffer): dns.DecodedPacket | undefined {
  try {
    const packet = dns.decode(message)
    return packet.type === 'query' && packet.questions?.length === 1 ? packet : undefined
  } catch {
    return undefined
  }
}

function answerDns(message: Buffer, from: string, to: string, over: string): dns.Packet | undefined {
  const query = queryIn(message)
  const [question] = query?.questions ?? []
  if (query === undefined || question === undefined) return undefined
  const name = question.name.toLowerCase()
  const type = (typeNames[question.type] ?? question.type).replace('UNKNOWN_', 'TYPE')
  const isStandard = message.readUInt8(2) >> 3 === 0
  const found = isStandard ? resolved(name, type) : { rcode: rcodes.notImplemented, addresses: [] }
  tell({ method: 'DNS', path: `/${name}`, query: { type, over }, from, to, status: found?.rcode })
  return (
    found && {
      id: query.id,
      type: 'response',
      flags:
        (query.flag_rd ? dns.RECURSION_DESIRED | dns.RECURSION_AVAILABLE : dns.RECURSION_AVAILABLE) |
        found.rcode,
      questions: [question],
      answers: found.addresses.map((data) => ({
        name: question.name,
        type: isIPv6(data) ? 'AAAA' : 'A',
        ttl: ttlSeconds,
        data,
      })),
    }
  )
}

async function serveDns(host: string): Promise<void> {
  const udp = createSocket({ type: isIPv6(host) ? 'udp6' : 'udp4' })
  // An answer that the packet filter refuses is lost, as any packet may be.
  udp.on('error', () => undefined)
  udp.on('message', (message, { address, port }) => {
    const answer = answerDns(message, at(address, port), at(host, 53), 'udp')
    if (answer !== undefined) udp.send(dns.encode(answer), port, address)
  })
  udp.bind(53, host)
  const tcp = createTcpServer((socket) => {
    const from = at(socket.remoteAddress, socket.remotePort)
    const answer = framed((message) => {
      const packet = answerDns(message, from, at(host, 53), 'tcp')
      if (packet !== undefined) socket.write(dns.streamEncode(packet))
    })
    socket.on('error', () => undefined)
    socket.on('data', answer)
  })
  await Promise.all([once(udp, 'listening'), listening(tcp, 53, host)])
}

/** A page with the address of the client, as text or, for clients that accept it, as JSON. */
function servePage(host: string): Promise<void> {
  const server = createServer((request, response) => {
    const { remoteAddress: address = '', remotePort } = request.socket
    const wantsJson = /\bapplication\/json\b/.test(request.headers.accept ?? '')
    const type = wantsJson ? 'application/json' : 'text/plain'
    request.resume()
    response.writeHead(200, { 'content-type': type, 'cache-control': 'no-store' })
    response.end(wantsJson ? JSON.stringify({ address }) : `Your address: ${address}\n`)
    const [path = '/', ...search] = (request.url ?? '/').split('?')
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    )
    tell({
      method: request.method ?? '',
      path,
      query: Object.fromEntries(new URLSearchParams(search.join('?'))),
      headers,
      from: at(address, remotePort),
      to: at(host, 80),
      status: 200,
    })
  })
  return listening(server, 80, host)
}

function serveSink(host: string): Promise<void> {
  const server = createTcpServer((socket: Socket) => {
    const from = at(socket.remoteAddress, socket.remotePort)
    socket.on('error', () => undefined)
    socket.resume()
    socket.once('close', () => {
      tell({ method: 'DISCARD', path: '/', from, to: at(host, 9), bytes: socket.bytesRead })
    })
  })
  return listening(server, 9, host)
}

async function listening(server: Server, port: number, host: string): Promise<void> {
  server.listen(port, host)
  await once(server, 'listening')
  if ((server.address() as AddressInfo).port !== port) throw new Error(`not on port ${port}`)
}

async function obey(order: BehindOrder): Promise<void> {
  if ('records' in order) records = order.records
  else {
    own = order.addresses
    await Promise.all(own.flatMap((host) => [serveDns(host), servePage(host), serveSink(host)]))
  }
}

obeyParent((order) => obey(order as BehindOrder))
