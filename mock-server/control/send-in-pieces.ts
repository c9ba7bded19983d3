import type { ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'

/** Body of an answer to be sent. `length` is undefined if it was not announced. */
interface Outgoing {
  chunks: Readable
  length: number | undefined
}

function outgoing(reply: FastifyReply, payload: unknown): Outgoing {
  if (payload instanceof Readable) {
    const announced = Number(reply.getHeader('content-length') ?? NaN)
    return { chunks: payload, length: Number.isSafeInteger(announced) ? announced : undefined }
  }
  const bytes =
    typeof payload === 'string' ? Buffer.from(payload) : Buffer.isBuffer(payload) ? payload : Buffer.alloc(0)
  return { chunks: Readable.from(bytes.length > 0 ? [bytes] : []), length: bytes.length }
}

function written(raw: ServerResponse, chunk: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    raw.write(chunk, (error) => {
      if (error) reject(error)
      else resolve()
    })
  })
}

/** Yields the first `most` bytes, or the first chunk of a body of unknown length. */
async function* beginning(chunks: Readable, most: number | undefined): AsyncGenerator<Buffer> {
  let left = most ?? Infinity
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk as Uint8Array | string).subarray(
      0,
      Math.min(left, Number.MAX_SAFE_INTEGER),
    )
    if (bytes.length > 0) yield bytes
    left -= bytes.length
    if (most === undefined || left <= 0) return
  }
}

const steps = 20

/** Yields the whole body in pieces, with pauses that add up to about `ms`. */
async function* trickle(body: Outgoing, ms: number, signal: AbortSignal): AsyncGenerator<Buffer> {
  const pieceLength = Math.max(1, Math.ceil((body.length ?? 64 * 1024) / steps))
  const pauseMs = (ms * pieceLength) / Math.max(body.length ?? 64 * 1024, pieceLength)
  for await (const chunk of body.chunks) {
    const bytes = Buffer.from(chunk as Uint8Array | string)
    for (let start = 0; start < bytes.length; start += pieceLength) {
      const piece = bytes.subarray(start, start + pieceLength)
      await sleep((pauseMs * piece.length) / pieceLength, undefined, { signal })
      yield piece
    }
  }
}

/** Sends an answer without Fastify: first the head, then the pieces of the body. */
function sendBy(
  reply: FastifyReply,
  length: number | undefined,
  pieces: (signal: AbortSignal) => AsyncIterable<Buffer>,
  finish: (raw: ServerResponse) => void,
): void {
  reply.hijack()
  const { raw } = reply
  const gone = new AbortController()
  raw.once('close', () => {
    gone.abort()
  })
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) raw.setHeader(name, value)
  }
  const hasBody = reply.statusCode !== 204 && reply.statusCode !== 304
  if (length !== undefined && hasBody) raw.setHeader('content-length', length)
  raw.writeHead(reply.statusCode)
  raw.flushHeaders()
  const send = async () => {
    for await (const piece of pieces(gone.signal)) await written(raw, piece)
    finish(raw)
  }
  // Fails when the client leaves or the file cannot be read. Either way the answer is over.
  send().catch(() => raw.destroy())
}

/** Announces the whole answer, sends half of it and closes the connection. */
export function sendTruncated(reply: FastifyReply, payload: unknown): void {
  const body = outgoing(reply, payload)
  const isEmpty = body.length === 0
  const half = body.length === undefined ? undefined : Math.floor(body.length / 2)
  // An empty answer announces one byte that never comes.
  sendBy(
    reply,
    isEmpty ? 1 : body.length,
    () => beginning(body.chunks, half),
    (raw) => raw.socket?.destroy(),
  )
}

/** Sends a complete answer with only the first half of its body. */
export function sendHalf(reply: FastifyReply, payload: unknown): void {
  const body = outgoing(reply, payload)
  const half = body.length === undefined ? undefined : Math.floor(body.length / 2)
  sendBy(
    reply,
    half,
    () => beginning(body.chunks, half),
    (raw) => raw.end(),
  )
}

/** Sends the head at once and the body in pieces over this many milliseconds. */
export function sendSlowly(reply: FastifyReply, payload: unknown, ms: number): void {
  const body = outgoing(reply, payload)
  sendBy(
    reply,
    body.length,
    (signal) => trickle(body, ms, signal),
    (raw) => raw.end(),
  )
}
