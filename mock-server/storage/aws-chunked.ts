import type { IncomingHttpHeaders } from 'node:http'
import { StorageError } from './storage-error'

const incomplete = () =>
  new StorageError(400, 'IncompleteBody', 'The body is not aws-chunked as it announces.')

/** Longest line with the size and the signature of a chunk, or a trailer. */
const maxLine = 1024

/** An upload whose body AWS's clients have cut into chunks, with checksums after them. */
export function isAwsChunked({ 'content-encoding': codings = '' }: IncomingHttpHeaders): boolean {
  return codings.split(',').some((coding) => coding.trim().toLowerCase() === 'aws-chunked')
}

/**
 * Yields the content of an aws-chunked body and fills `trailers`. Signatures of chunks are not checked, as the mock has no
 * keys. Throws a StorageError with 400 IncompleteBody if the body has another form, or another length than
 * x-amz-decoded-content-length.
 */
export async function* awsChunks(
  body: AsyncIterable<Buffer>,
  decodedLength: number,
  trailers: Record<string, string>,
): AsyncGenerator<Buffer> {
  const source = new Lines(body)
  let total = 0
  for (;;) {
    const [, hex = ''] = /^([\da-f]{1,8})(?:;.*)?$/i.exec(await source.line()) ?? []
    if (hex === '') throw incomplete()
    const size = Number.parseInt(hex, 16)
    if (size === 0) break
    for await (const bytes of source.bytes(size)) yield bytes
    if ((await source.line()) !== '') throw incomplete()
    total += size
  }
  for (let line = await source.line(); line !== ''; line = await source.line()) {
    const [name = '', ...value] = line.split(':')
    trailers[name.trim().toLowerCase()] = value.join(':').trim()
  }
  if (total !== decodedLength) throw incomplete()
}

/** Reads lines and numbers of bytes from a body in turn. */
class Lines {
  readonly #chunks: AsyncIterator<Buffer>
  #rest: Buffer = Buffer.alloc(0)

  constructor(body: AsyncIterable<Buffer>) {
    this.#chunks = body[Symbol.asyncIterator]()
  }

  /** Returns a line without its end; an empty one at the end of the body. */
  async line(): Promise<string> {
    let end = this.#rest.indexOf('\r\n')
    while (end < 0 && this.#rest.length <= maxLine && (await this.#more())) end = this.#rest.indexOf('\r\n')
    if (end > maxLine || (end < 0 && this.#rest.length > 0)) throw incomplete()
    const line = this.#rest.toString('latin1', 0, Math.max(end, 0))
    this.#rest = this.#rest.subarray(end + 2)
    return line
  }

  async *bytes(count: number): AsyncGenerator<Buffer> {
    let bytesLeft = count
    while (bytesLeft > 0) {
      if (this.#rest.length === 0 && !(await this.#more())) throw incomplete()
      const piece = this.#rest.subarray(0, bytesLeft)
      this.#rest = this.#rest.subarray(piece.length)
      bytesLeft -= piece.length
      if (piece.length > 0) yield piece
    }
  }

  /** Reads on; returns false at the end of the body. */
  async #more(): Promise<boolean> {
    const next = await this.#chunks.next()
    if (next.done === true) return false
    this.#rest = this.#rest.length === 0 ? next.value : Buffer.concat([this.#rest, next.value])
    return true
  }
}
