import { createReadStream } from 'node:fs'
import type { Socket } from 'node:net'
import { endianness } from 'node:os'

/** The two ends of an accepted TCP connection over IPv4. */
export type Connection = Pick<Socket, 'localAddress' | 'localPort' | 'remoteAddress' | 'remotePort'>

/** Returns the user whose process is at the other end of a connection; rejects if that isn't certain. */
export type PeerUid = (connection: Connection) => Promise<number>

/** Returns the implementation for this system; undefined if it would need native code (docs/security.md). */
export function systemPeerUid(platform: NodeJS.Platform): PeerUid | undefined {
  return platform === 'linux' ? linuxPeerUid(['/proc/net/tcp', '/proc/net/tcp6']) : undefined
}

/**
 * Finds the peer's socket in the kernel's connection tables: its local address is our remote address. The second table
 * has IPv6 sockets that use IPv4, as in Java. Only established connections count, because the kernel shows user 0 and
 * inode 0 for a closed socket.
 */
export function linuxPeerUid(tables: readonly string[]): PeerUid {
  return async ({ localAddress, localPort, remoteAddress, remotePort }) => {
    const ends = `${endInTable(remoteAddress, remotePort)} ${endInTable(localAddress, localPort)}`
    const row = new RegExp(`^ *\\d+: ${ends} 01 \\S+ \\S+ \\S+ +(\\d+) +\\d+ +[1-9]\\d* `)
    for (const table of tables) {
      const uid = await firstMatch(table, row)
      if (uid !== undefined) return Number(uid)
    }
    throw new Error('The peer is in no table of connections.')
  }
}

/** Returns a pattern for an address and port in the tables: 32-bit numbers in the byte order of the machine. */
function endInTable(address: string | undefined, port: number | undefined): string {
  const bytes = address?.split('.').map(Number) ?? []
  if (bytes.length !== 4 || port === undefined) throw new Error('Not a connection over IPv4.')
  const isLittle = endianness() === 'LE'
  const mapped = isLittle ? '0000000000000000FFFF0000' : '00000000000000000000FFFF'
  const ipv4 = Buffer.from(isLittle ? bytes.reverse() : bytes).toString('hex')
  const hexPort = port.toString(16).padStart(4, '0')
  return `(?:${mapped})?${ipv4.toUpperCase()}:${hexPort.toUpperCase()}`
}

/** Reads only as much as necessary, because other users can make the table arbitrarily long. */
async function firstMatch(path: string, row: RegExp): Promise<string | undefined> {
  let rest = ''
  for await (const chunk of createReadStream(path, 'latin1')) {
    const lines = `${rest}${String(chunk)}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const match = row.exec(line)
      if (match !== null) return match[1]
    }
  }
  return undefined
}
