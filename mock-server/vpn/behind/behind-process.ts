import { createSocket } from 'node:dgram'
import { createServer } from 'node:http'
import { createServer as createTcpServer, isIPv6, type AddressInfo, type Server, type Socket } from 'node:net'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { BehindEvent, BehindOrder, BehindReport, DnsRecords } from './behind-orders'
import { dnsAnswer, rcodes, readQuery, type DnsQuery } from './dns-message'

/**
 * The network behind a tunnel as a process of its own, because Node can't listen in another network namespace: a DNS server, an
 * HTTP page that shows the client's address, and a sink (RFC 863). It reads one BehindOrder per line from standard input,
 * writes BehindReports, and ends with its input.
 */

let own: readonly string[] = []
let records: DnsRecords = {}

function report(line: BehindReport): void {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}
const tell = (event: BehindEvent) => {
  report({ event })
}
const at = (address = '', port = 0) => (isIPv6(address) ? `[${address}]:${port}` : `${address}:${port}`)

/** Returns the answer to a query; undefined for none. Every name resolves to this network, except below `invalid`. */
function resolved({ name, type, isStandard }: DnsQuery): { rcode: number; addresses: string[] } | undefined {
  if (!isStandard) return { rcode: rcodes.notImplemented, addresses: [] }
  const given = Object.hasOwn(records, name) ? records[name] : /(^|\.)invalid$/.test(name) ? [] : own
  if (given === undefined || given === 'no-answer') return undefined
  if (given === 'server-failure') return { rcode: rcodes.serverFailure, addresses: [] }
  if (given.length === 0) return { rcode: rcodes.noSuchName, addresses: [] }
  const addresses = given.filter((address) => type === (isIPv6(address) ? 'AAAA' : 'A'))
  return { rcode: rcodes.noError, addresses }
}

/** Answers and reports a DNS message. */
function answerDns(message: Buffer, from: string, to: string, over: string): Buffer | undefined {
  const query = readQuery(message)
  if (query === undefined) return undefined
  const found = resolved(query)
  tell({
    method: 'DNS',
    path: `/${query.name}`,
    query: { type: query.type, over },
    from,
    to,
    status: found?.rcode,
  })
  return found && dnsAnswer(query, found.rcode, found.addresses)
}

async function serveDns(host: string): Promise<void> {
  const udp = createSocket({ type: isIPv6(host) ? 'udp6' : 'udp4' })
  // An answer that the packet filter refuses is lost, as any packet may be.
  udp.on('error', () => undefined)
  udp.on('message', (message, { address, port }) => {
    const answer = answerDns(message, at(address, port), at(host, 53), 'udp')
    if (answer !== undefined) udp.send(answer, port, address)
  })
  udp.bind(53, host)
  const tcp = createTcpServer((socket) => {
    const from = at(socket.remoteAddress, socket.remotePort)
    let rest: Buffer = Buffer.alloc(0)
    socket.on('error', () => undefined)
    socket.on('data', (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk])
      while (rest.length >= 2 && rest.length >= 2 + rest.readUInt16BE()) {
        const end = 2 + rest.readUInt16BE()
        const answer = answerDns(rest.subarray(2, end), from, at(host, 53), 'tcp')
        rest = rest.subarray(end)
        if (answer === undefined) continue
        const length = Buffer.alloc(2)
        length.writeUInt16BE(answer.length)
        socket.write(Buffer.concat([length, answer]))
      }
    })
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

/** Reads and forgets what clients send, and reports how much it was. */
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

const lines = createInterface({ input: process.stdin })
lines.on('line', (line) => {
  obey(JSON.parse(line) as BehindOrder).then(
    () => {
      report({ done: true })
    },
    (error: unknown) => {
      report({ failed: String(error) })
    },
  )
})
lines.once('close', () => process.exit())
