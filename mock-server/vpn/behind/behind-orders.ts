/** What a name resolves to: addresses, none for a name that doesn't exist, or a failure of the server. */
export type DnsRecords = Readonly<Record<string, readonly string[] | 'server-failure' | 'no-answer'>>

/** A line of JSON to the process of the network behind a tunnel: its addresses, or the records of its DNS server. */
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
