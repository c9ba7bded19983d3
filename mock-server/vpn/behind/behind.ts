import { type ChildProcess, spawn } from 'node:child_process'
import { isIPv6 } from 'node:net'
import { createInterface } from 'node:readline'
import { addressesBehind, insideNamespace, runInside, type ServerNamespace } from '../tunnel/namespace'
import { end, NamespaceProcess } from '../tunnel/namespace-process'
import { findProgram } from '../tunnel/programs'
import { endingWithUs } from '../tunnel/server-process'

export interface BehindStatus {
  /** The addresses of its DNS server (port 53), its page "your address" (port 80) and its sink (port 9); they answer pings. */
  addresses: readonly string[]
  page: string
  /** The size above which packets vanish, in both directions; null for that of the tunnel. */
  mtu: number | null
  /** False where nftables is missing: then packets aren't in the journal, and no MTU can be set. */
  showsPackets: boolean
}

/** Packets in the journal per second, so that a flood of them can't fill it. */
const packetsPerSecond = 200
const packet =
  /inet behind traced packet: iif "([^"]+)" .*?\bip6? saddr (\S+) ip6? daddr (\S+) .*?(?:\b(tcp|udp) sport (\d+) \4 dport (\d+)|\bicmp(?:v6)? type echo-request)/

/** Returns the event for a line of `nft monitor trace`; undefined for a line without a packet. */
function eventOf(line: string): BehindEvent | undefined {
  const [, device = '', from = '', to = '', protocol, source, port] = packet.exec(line) ?? []
  if (device === '') return undefined
  const [start, end] = isIPv6(to) ? ['[', ']:'] : ['', ':']
  const at = (address: string, number?: string) =>
    number === undefined ? address : `${start}${address}${end}${number}`
  return {
    method: protocol?.toUpperCase() ?? 'ICMP',
    path: `/${at(to, port)}`,
    query: { device },
    from: at(from, source),
    to: at(to, port),
  }
}

/** Returns the packet filter: it traces pings, datagrams and first packets of connections, and drops what is too large. */
function filter(mtu: number | null): string {
  // Connections get the MTU from their first packets: the kernel merges their packets, whose lengths say nothing.
  const clamp = (ip: string, headers: number) =>
    mtu === null ? '' : `meta nfproto ${ip} tcp flags syn tcp option maxseg size set ${mtu - headers}`
  const drop = mtu === null ? '' : `meta l4proto != tcp meta length > ${mtu} drop`
  const clamps = `${clamp('ipv4', 40)}\n${clamp('ipv6', 60)}`
  const limit = `limit rate ${packetsPerSecond}/second meta nftrace set 1`
  return `table inet behind {}
delete table inet behind
table inet behind {
  chain traced {
    icmp type echo-request ${limit}
    icmpv6 type echo-request ${limit}
    meta l4proto udp ${limit}
    tcp flags & (syn | ack) == syn ${limit}
  }
  chain seen {
    type filter hook prerouting priority -300
    iifname { "lo", "outside" } accept
    ${drop}
    ${clamps}
    jump traced
  }
  chain sent {
    type filter hook postrouting priority -150
    oifname { "lo", "outside" } accept
    ${drop}
    ${clamps}
  }
}
`
}

/** The network behind a tunnel: a DNS server, a page and a sink, whose events go to the journal. */
export class BehindNetwork {
  readonly #namespace: ServerNamespace
  readonly #addresses: readonly string[]
  readonly #onEvent: (event: BehindEvent) => void
  readonly #process: NamespaceProcess<BehindOrder>
  #monitor: ChildProcess | undefined
  #mtu: number | null = null

  /** Its process starts in this namespace at once, and tells `onEvent` what it sees. */
  constructor(namespace: ServerNamespace, onEvent: (event: BehindEvent) => void = () => undefined) {
    this.#namespace = namespace
    this.#onEvent = onEvent
    this.#addresses = addressesBehind(namespace.slot)
    this.#process = new NamespaceProcess('behind-process', insideNamespace(namespace), (line) => {
      if ('event' in line) onEvent(line.event as BehindEvent)
    })
  }

  /** Starts its servers, and watches packets. Rejects if they can't listen, or nftables refuses. */
  async start(): Promise<void> {
    await this.#process.obey({ addresses: this.#addresses })
    const nft = findProgram('nft')
    if (nft === undefined) return
    await this.#setFilter(null)
    const [program = '', ...parameters] = [
      ...insideNamespace(this.#namespace),
      ...endingWithUs([nft, 'monitor', 'trace']),
    ]
    const monitor = spawn(program, parameters, { stdio: ['ignore', 'pipe', 'ignore'] })
    monitor.on('error', () => undefined)
    createInterface({ input: monitor.stdout }).on('line', (line) => {
      const event = eventOf(line)
      if (event !== undefined) this.#onEvent(event)
    })
    this.#monitor = monitor
  }

  get status(): BehindStatus {
    return {
      addresses: this.#addresses,
      page: `http://${this.#addresses[0] ?? ''}/`,
      mtu: this.#mtu,
      showsPackets: this.#monitor !== undefined,
    }
  }

  /** Rejects if nftables refuses. */
  async setMtu(mtu: number | null): Promise<void> {
    if (mtu === this.#mtu) return
    await this.#setFilter(mtu)
    this.#mtu = mtu
  }

  setRecords(records: DnsRecords): Promise<void> {
    return this.#process.obey({ records })
  }

  async close(): Promise<void> {
    await Promise.all([this.#process.stop(), this.#monitor && end(this.#monitor, 'SIGKILL')])
  }

  #setFilter(mtu: number | null): Promise<unknown> {
    return runInside(this.#namespace, ['nft', '-f', '-'], filter(mtu))
  }
}

/** What a name resolves to: addresses, none for a name that doesn't exist, or a failure of the server. */
export type DnsRecords = Readonly<Record<string, readonly string[] | 'server-failure' | 'no-answer'>>

/** A message to the process of the network behind a tunnel: its addresses, or the records of its DNS server. */
export type BehindOrder = { addresses: readonly string[] } | { records: DnsRecords }

/** Something that the network behind a tunnel saw, for the journal. */
export interface BehindEvent {
  /** DNS, ICMP, TCP, UDP, DISCARD (the throughput sink), or the method of an HTTP request. */
  method: string
  /** `/` with the name that DNS was asked for, with the destination of a packet, or the path of the HTTP request. */
  path: string
  /** Facts about it, as parameters: `type` of a DNS query, `device` of a packet. */
  query?: Record<string, string>
  headers?: Record<string, string>
  from: string
  to: string
  /** The status of HTTP, or the response code of DNS. */
  status?: number
  bytes?: number
}
