/** Formats a remote, such as `192.0.2.1:1194 (UDP)`, with an IPv6 address in brackets. */
export function remoteText({
  address,
  port,
  protocol,
}: {
  readonly address: string
  readonly port: number
  readonly protocol: 'udp' | 'tcp'
}): string {
  const host = address.includes(':') ? `[${address}]` : address
  return `${host}:${port} (${protocol.toUpperCase()})`
}
