import { createReadStream } from 'node:fs'
import type { Socket } from 'node:net'
import { endianness } from 'node:os'

/** The two ends of an accepted TCP connection over IPv4. */
export type Connection = Pick<Socket, 'localAddress' | 'localPort' | 'remoteAddress' | 'remotePort'>

/** Returns the user whose process is at the other end of a connection; rejects when that is not certain. */
export type PeerUid = (connection: Connection) => Promise<number>

/** Returns the way of this system, or undefined where it has none without native code (docs/security.md). */
export function systemPeerUid(platform: NodeJS.Platform): PeerUid | undefined {
  return platform === 'linux' ? linuxPeerUid(['/proc/net/tcp', '/proc/net/tcp6']) : undefined
}

/**
 * Looks the peer's socket up in the kernel's tables of connections: its local end is our remote one. An IPv6 socket
 * that speaks IPv4, as Java's do, is in the second table. Only an established connection counts, because the kernel
 * gives user 0 and inode 0 to a socket that its process has closed.
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

/** The pattern of an address and port as the tables have them: numbers of 32 bits in the byte order of the machine. */
function endInTable(address: string | undefined, port: number | undefined): string {
  const bytes = address?.split('.').map(Number) ?? []
  if (bytes.length !== 4 || port === undefined) throw new Error('Not a connection over IPv4.')
  const isLittle = endianness() === 'LE'
  const mapped = isLittle ? '0000000000000000FFFF0000' : '00000000000000000000FFFF'
  const ipv4 = Buffer.from(isLittle ? bytes.reverse() : bytes).toString('hex')
  const hexPort = port.toString(16).padStart(4, '0')
  return `(?:${mapped})?${ipv4.toUpperCase()}:${hexPort.toUpperCase()}`
}

/** Reads no more than it needs: other users can make the table as long as they like. */
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
