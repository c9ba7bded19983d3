import { createHash } from 'node:crypto'

/**
 * Splits secrets into parts for key stores that limit their length. Windows allows 2,560 bytes per entry, and an RSA-4096
 * key takes 3,272. Base64 keeps entries plain ASCII, which all key stores return unchanged.
 *
 * The first entry starts with a header, `1:<number of entries>:<SHA-256 of the secret>:`, which reveals an interrupted
 * write or two concurrent ones.
 */
const dataLength = 2400
const largestCount = 64
const headerPattern = /^1:([1-9]\d?):([0-9a-f]{64}):([A-Za-z0-9+/=]*)$/

interface PartsHeader {
  /** Number of entries, including this one. */
  readonly count: number
  readonly sha256: string
  /** The data of the first entry. */
  readonly data: string
}

/** Returns the entries for a secret, or undefined above the limit of about 115 KB. */
export function splitSecret(secret: string): readonly [string, ...string[]] | undefined {
  const base64 = Buffer.from(secret, 'utf8').toString('base64')
  const count = Math.max(1, Math.ceil(base64.length / dataLength))
  if (count > largestCount) return undefined
  const rest = Array.from({ length: count - 1 }, (_, index) =>
    base64.slice((index + 1) * dataLength, (index + 2) * dataLength),
  )
  return [`1:${count}:${sha256(secret)}:${base64.slice(0, dataLength)}`, ...rest]
}

/** Parses the first entry; undefined if it is not ours. */
export function parseHeader(entry: string): PartsHeader | undefined {
  const [, count, sha256, data] = headerPattern.exec(entry) ?? []
  if (count === undefined || sha256 === undefined || data === undefined) return undefined
  return { count: Number(count), sha256, data }
}

/** Returns the secret, or undefined if the entries do not belong together. `rest` are the entries after the first. */
export function joinSecret(header: PartsHeader, rest: readonly string[]): string | undefined {
  const secret = Buffer.from(header.data + rest.join(''), 'base64').toString('utf8')
  return sha256(secret) === header.sha256 ? secret : undefined
}

function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex')
}
