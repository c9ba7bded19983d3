import { createHash } from 'node:crypto'

/**
 * Splits secrets into parts for key stores that limit their length. Windows allows 2,560 bytes per entry, and an RSA-4096
 * key takes 3,272. Base64 keeps entries plain ASCII, which all key stores return unchanged.
 *
 * The first entry starts with a header, `1:<number of entries><sequence>:<SHA-256 of the secret>:`, which reveals two concurrent writes.
 * The others are in one of two sequences, `a` and `b`, in turn: a new secret leaves those of the old one alone until its header is there.
 */
const dataLength = 2400
const largestCount = 64
const headerPattern = /^1:([1-9]\d?)([ab]):([0-9a-f]{64}):([A-Za-z0-9+/=]*)$/

export const sequences = ['a', 'b'] as const
export type Sequence = (typeof sequences)[number]

export interface PartsHeader {
  /** Number of entries, including this one. */
  readonly count: number
  /** Where the others are. */
  readonly sequence: Sequence
  readonly sha256: string
  /** The data of the first entry. */
  readonly data: string
}

/** Returns the entries for a secret, or undefined above the limit of about 115 KB. */
export function splitSecret(secret: string, sequence: Sequence): readonly [string, ...string[]] | undefined {
  const base64 = Buffer.from(secret, 'utf8').toString('base64')
  const count = Math.max(1, Math.ceil(base64.length / dataLength))
  if (count > largestCount) return undefined
  const rest = Array.from({ length: count - 1 }, (_, index) =>
    base64.slice((index + 1) * dataLength, (index + 2) * dataLength),
  )
  return [`1:${count}${sequence}:${sha256(secret)}:${base64.slice(0, dataLength)}`, ...rest]
}

/** Parses the first entry; undefined if it is not ours. */
export function parseHeader(entry: string): PartsHeader | undefined {
  const [, count, sequence, sha256, data] = headerPattern.exec(entry) ?? []
  if (count === undefined || sha256 === undefined || data === undefined) return undefined
  return { count: Number(count), sequence: sequence === 'a' ? 'a' : 'b', sha256, data }
}

/** Returns the secret, or undefined if the entries do not belong together. `rest` are the entries after the first. */
export function joinSecret(header: PartsHeader, rest: readonly string[]): string | undefined {
  const secret = Buffer.from(header.data + rest.join(''), 'base64').toString('utf8')
  return sha256(secret) === header.sha256 ? secret : undefined
}

function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex')
}
