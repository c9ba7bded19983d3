import { pipeline } from 'node:stream/promises'
import { CausewayError } from '../../errors'
import { decompressors } from '../../platform/http/decompressors'
import type { FileHead } from '../../platform/http/file-transport'

/** Codings that leave the bytes unchanged; some storages keep `aws-chunked` of an upload, which describes only that request. */
const plainCodings = ['', 'identity', 'aws-chunked']

/** Extensions of files that are compressed themselves: some servers name that as a coding, too. A map, like the decompressors. */
const ownCodings: ReadonlyMap<string, readonly string[]> = new Map([
  ['gzip', ['gz', 'tgz', 'svgz']],
  ['x-gzip', ['gz', 'tgz', 'svgz']],
  ['br', ['br']],
])

/** A file that expands so much is an attack on the disk; a small one does no harm. */
const maxExpansion = 250
const harmlessBytes = 64 * 1024 * 1024

/** Returns the coding that hides the file's own bytes, if there is one. */
export function codingOf({ headers }: FileHead, extension: string | undefined): string | undefined {
  const codings = (headers.get('content-encoding') ?? '')
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => !plainCodings.includes(coding))
  const coding = codings.length === 0 ? undefined : codings.join(', ')
  const isOwn = ownCodings.get(coding ?? '')?.includes(extension?.toLowerCase() ?? '') === true
  return isOwn ? undefined : coding
}

/**
 * Decodes the body of an answer, and passes it to `read`. Throws `attachments/invalid-response` for another coding, damaged data,
 * and data that expands too much, and the errors of `body` and `read`.
 */
export async function readDecoded(
  { coding, host }: { readonly coding: string; readonly host: string },
  body: AsyncIterable<Uint8Array>,
  read: (decoded: AsyncIterable<Uint8Array>) => Promise<void>,
): Promise<void> {
  const decoder = decompressors.get(coding)
  const invalid = (cause?: unknown) =>
    new CausewayError('attachments/invalid-response', { details: { host }, cause })
  if (decoder === undefined) throw invalid()
  let received = 0
  let decodedBytes = 0
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of body) {
      received += chunk.byteLength
      yield chunk
    }
  }
  async function* bounded(decoded: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of decoded) {
      decodedBytes += chunk.byteLength
      if (decodedBytes > harmlessBytes && decodedBytes > received * maxExpansion) throw invalid()
      yield chunk
    }
  }
  try {
    await pipeline(counted(), decoder(), (decoded: AsyncIterable<Uint8Array>) => read(bounded(decoded)))
  } catch (error) {
    throw isDamaged(error) ? invalid(error) : error
  }
}

function isDamaged(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    /^(Z_|ERR_(BROTLI|_ERROR)_|ERR_TRAILING)/.test(String(error.code))
  )
}
