import { createHash } from 'node:crypto'

/**
 * How a secret of any length is kept in a key store that takes short ones. Windows' takes 2,560 bytes an entry, an
 * RSA-4096 key alone has 3,272. Base64 keeps every entry plain ASCII, which all key stores return unchanged.
 *
 * The first entry begins with a header, `1:<number of entries>:<SHA-256 of the secret>:`. When writing was cut short,
 * or two programs wrote at once, the entries do not fit together, and that shows.
 */
const dataLength = 2400
const largestCount = 64
const headerPattern = /^1:([1-9]\d?):([0-9a-f]{64}):([A-Za-z0-9+/=]*)$/

export interface PartsHeader {
  /** Entries in all, this one included. */
  readonly count: number
  readonly sha256: string
  /** The data of the first entry. */
  readonly data: string
}

/** The entries that keep this secret, or undefined when it is longer than the about 115 KB that may be kept. */
export function splitSecret(secret: string): readonly [string, ...string[]] | undefined {
  const base64 = Buffer.from(secret, 'utf8').toString('base64')
  const count = Math.max(1, Math.ceil(base64.length / dataLength))
  if (count > largestCount) return undefined
  const rest = Array.from({ length: count - 1 }, (_, index) =>
    base64.slice((index + 1) * dataLength, (index + 2) * dataLength),
  )
  return [`1:${count}:${sha256(secret)}:${base64.slice(0, dataLength)}`, ...rest]
}

/** What the first entry says, or undefined when it is not ours. */
export function parseHeader(entry: string): PartsHeader | undefined {
  const [, count, sha256, data] = headerPattern.exec(entry) ?? []
  if (count === undefined || sha256 === undefined || data === undefined) return undefined
  return { count: Number(count), sha256, data }
}

/** The secret, or undefined when the entries do not belong together. `rest` are those after the first. */
export function joinSecret(header: PartsHeader, rest: readonly string[]): string | undefined {
  const secret = Buffer.from(header.data + rest.join(''), 'base64').toString('utf8')
  return sha256(secret) === header.sha256 ? secret : undefined
}

function sha256(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('hex')
}
