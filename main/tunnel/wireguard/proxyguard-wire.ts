/** The protocol of ProxyGuard (UoTLV/1): an upgrade of HTTP, then datagrams with their length before them, in two bytes. */

import { retryAfterSeconds as retrySeconds } from '../../platform/http/retrying-http'

/** The longest datagram that fits into UDP over IPv4. */
const maxDatagram = 65_507

/** Returns the request of a client. */
export function upgradeRequest({ pathname, search, host }: URL): string {
  return `GET ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: UoTLV/1\r\n\r\n`
}

/** What is wrong with an answer. */
interface AnswerProblem {
  readonly status?: number
  readonly reason?: string
  /** The time that the server wants to pass before the next connection. */
  readonly retryAfterSeconds?: number
}

/** Returns what is wrong with the head of an answer. */
export function answerProblem(head: string, now: number): AnswerProblem | undefined {
  const [first = '', ...lines] = head.split('\r\n')
  const digits = /^HTTP\/1\.[01] (\d{3})(?: |$)/.exec(first)?.[1]
  if (digits === undefined) return { reason: 'no-http' }
  const status = Number(digits)
  const headers = new Map(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [
        line.slice(0, colon).toLowerCase(),
        line
          .slice(colon + 1)
          .trim()
          .toLowerCase(),
      ] as const
    }),
  )
  const retryAfterSeconds = retrySeconds({ get: (name) => headers.get(name) ?? null }, now)
  if (status !== 101) return { status, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) }
  const upgrades = headers.get('connection') === 'upgrade' && headers.get('upgrade') === 'uotlv/1'
  return upgrades ? undefined : { status, reason: 'headers' }
}

/** Returns true for the status of a proxy that is busy, or whose server behind it is down. */
export function isTemporary(status: unknown): boolean {
  return status === 429 || status === 502 || status === 503 || status === 504
}

/** Returns a datagram as it is sent. */
export function framed(datagram: Buffer): Buffer {
  const frame = Buffer.allocUnsafe(2 + datagram.length)
  frame.writeUInt16BE(datagram.length)
  datagram.copy(frame, 2)
  return frame
}

/** Passes on the complete datagrams and returns the rest, which is less than one; undefined if a length is impossible. */
export function readFrames(received: Buffer, onDatagram: (datagram: Buffer) => void): Buffer | undefined {
  let rest = received
  while (rest.length >= 2) {
    const length = rest.readUInt16BE()
    if (length > maxDatagram) return undefined
    if (rest.length < 2 + length) break
    if (length > 0) onDatagram(rest.subarray(2, 2 + length))
    rest = rest.subarray(2 + length)
  }
  // A copy, so that a small rest doesn't keep a large chunk.
  return Buffer.from(rest)
}
