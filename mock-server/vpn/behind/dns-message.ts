import { isIPv6 } from 'node:net'

/** The types of records that the mock names; others are shown as `TYPE65`. */
const typeNames: Record<number, string> = {
  1: 'A',
  2: 'NS',
  5: 'CNAME',
  6: 'SOA',
  12: 'PTR',
  15: 'MX',
  16: 'TXT',
  28: 'AAAA',
  33: 'SRV',
  64: 'SVCB',
  65: 'HTTPS',
}
export const rcodes = { noError: 0, serverFailure: 2, noSuchName: 3, notImplemented: 4 } as const
const headerBytes = 12
const ttlSeconds = 1

/** A query (RFC 1035): its first question. */
export interface DnsQuery {
  id: number
  /** In lower case, without the final dot; the root is `.`. */
  name: string
  type: string
  isStandard: boolean
  isRecursionWanted: boolean
  /** The question as it was sent, for the answer. */
  question: Buffer
}

/** Reads a query. Returns undefined for a message that isn't one, which servers ignore. */
export function readQuery(message: Buffer): DnsQuery | undefined {
  if (message.length < headerBytes) return undefined
  const flags = message.readUInt16BE(2)
  if (flags >= 0x8000 || message.readUInt16BE(4) !== 1) return undefined
  const labels: string[] = []
  let at = headerBytes
  for (;;) {
    const length = message[at]
    if (length === undefined || length > 63 || at + length + 5 > message.length) return undefined
    at += 1
    if (length === 0) break
    labels.push(message.toString('latin1', at, at + length).toLowerCase())
    at += length
  }
  const type = message.readUInt16BE(at)
  return {
    id: message.readUInt16BE(),
    name: labels.join('.') || '.',
    type: typeNames[type] ?? `TYPE${type}`,
    isStandard: (flags & 0x7800) === 0,
    isRecursionWanted: (flags & 0x0100) !== 0,
    question: message.subarray(headerBytes, at + 4),
  }
}

function addressBytes(address: string): Buffer {
  if (!isIPv6(address)) return Buffer.from(address.split('.').map(Number))
  const { hostname } = new URL(`http://[${address}]`)
  const [head = '', tail] = hostname.slice(1, -1).split('::')
  const groups = (text: string) => (text === '' ? [] : text.split(':'))
  const [before, after] = [groups(head), groups(tail ?? '')]
  const zeros = Array<string>(8 - before.length - after.length).fill('0')
  return Buffer.from([...before, ...zeros, ...after].map((group) => group.padStart(4, '0')).join(''), 'hex')
}

/** Returns the answer to a query with these addresses, which must be of the type that it asks for. */
export function dnsAnswer(query: DnsQuery, rcode: number, addresses: readonly string[]): Buffer {
  const header = Buffer.alloc(headerBytes)
  header.writeUInt16BE(query.id)
  header.writeUInt16BE(0x8080 | (query.isRecursionWanted ? 0x0100 : 0) | rcode, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(addresses.length, 6)
  const records = addresses.map((address) => {
    const data = addressBytes(address)
    const record = Buffer.alloc(12)
    // The name of the question.
    record.writeUInt16BE(0xc000 | headerBytes)
    record.writeUInt16BE(data.length === 4 ? 1 : 28, 2)
    record.writeUInt16BE(1, 4)
    record.writeUInt32BE(ttlSeconds, 6)
    record.writeUInt16BE(data.length, 10)
    return Buffer.concat([record, data])
  })
  return Buffer.concat([header, query.question, ...records])
}
