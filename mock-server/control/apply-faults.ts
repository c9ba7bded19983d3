import { randomBytes, randomUUID } from 'node:crypto'
import { pipeline, Readable, Transform } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../http/app'
import { bodyText } from '../http/json-body'
import type { AnswerFault, Fault } from './faults'
import { type MatchedRequest, matchedRequest } from './request-match'

/**
 * Ends a connection with a TCP reset, if it is still open. Only the socket below TLS can be reset: on a TLSSocket,
 * `resetAndDestroy` throws. Node documents no name for the lower socket; without one, the connection is closed instead.
 */
function resetConnection(socket: Socket): void {
  if (socket.destroyed) return
  const lower: unknown = socket instanceof TLSSocket ? Reflect.get(socket, '_parent') : socket
  if (lower instanceof Socket) lower.resetAndDestroy()
  else socket.destroy()
}

/** Returns a text with its templates filled in: `{{origin}}`, `{{id}}`, `{{token}}`, and `{{now 60 http}}` or `… iso}}`. */
function filled(text: string, { askedOrigin, world }: FastifyRequest): string {
  if (!text.includes('{{')) return text
  return text
    .replaceAll('{{origin}}', askedOrigin)
    .replaceAll('{{id}}', () => randomUUID())
    .replaceAll('{{token}}', () => randomBytes(32).toString('base64url'))
    .replaceAll(/\{\{now (-?\d{1,10}) (http|iso)\}\}/g, (_all, seconds: string, form: string) => {
      const time = new Date(world.clock.now().getTime() + Number(seconds) * 1000)
      return form === 'http' ? time.toUTCString() : `${time.toISOString().slice(0, 19)}Z`
    })
}

function bodyBytes({ body, bodyBase64 }: AnswerFault, request: FastifyRequest): Buffer {
  if (bodyBase64 !== undefined) return Buffer.from(bodyBase64, 'base64')
  if (body === undefined) return Buffer.alloc(0)
  return Buffer.from(filled(typeof body === 'string' ? body : JSON.stringify(body), request))
}

function setHeaders(reply: FastifyReply, fault: AnswerFault): void {
  if (fault.retryAfterSeconds !== undefined) {
    const at = reply.request.world.clock.now().getTime() + fault.retryAfterSeconds * 1000
    reply.header('retry-after', new Date(at).toUTCString())
  }
  if (fault.body !== undefined && typeof fault.body !== 'string') {
    reply.header('content-type', 'application/json')
  }
  for (const [name, value] of Object.entries(fault.headers ?? {})) {
    const values = [value].flat().map((one) => filled(one, reply.request))
    reply.header(name, values.length === 1 ? values[0] : values)
  }
}

function afterDelay(request: FastifyRequest, reply: FastifyReply, goOn: () => void): void {
  const fault = request.pendingFault
  if (fault === null || fault === 'undecided' || typeof fault.delayMs !== 'number') {
    goOn()
    return
  }
  request.pendingFault = { ...fault, delayMs: undefined }
  const timer = setTimeout(goOn, fault.delayMs)
  reply.raw.once('close', () => {
    clearTimeout(timer)
  })
}

/** Forwards a body up to this many bytes, then resets the connection. */
function resetAfter(request: FastifyRequest, body: Readable, most: number): Readable {
  let bytesLeft = most
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytesLeft -= chunk.length
      if (bytesLeft > 0) {
        done(null, chunk)
        return
      }
      resetConnection(request.raw.socket)
      done(new Error('the connection was reset on demand'))
    },
  })
  // Readers of the counter receive the error from it. Without this listener, the error would end the process if nobody reads.
  counter.on('error', () => undefined)
  return pipeline(body, counter, () => undefined)
}

/** Returns the fault that the next matching request gets, which the journal notes. */
function take({ world, journalRecord }: FastifyRequest, target: MatchedRequest): Fault | null {
  const taken = world.faults.take(target)
  if (taken !== undefined && journalRecord !== null) journalRecord.by = `fault ${taken.id}`
  return taken?.fault ?? null
}

/** Returns the fault of a request whose body has been read. */
function decide(request: FastifyRequest): Fault | null {
  if (request.pendingFault === 'undecided')
    request.pendingFault = take(request, matchedRequest(request, request.world.vpn.tokens, bodyText(request)))
  return request.pendingFault
}

/** Makes matching requests fail, before anything but the journal sees them. Error answers are affected too. */
export function applyFaults(app: App, isWanted: (request: FastifyRequest) => boolean): void {
  app.decorateRequest('pendingFault', null)
  app.addHook('onRequest', (request, _reply, done) => {
    const { faults, vpn } = request.world
    if (!faults.isEmpty && isWanted(request)) {
      const target = matchedRequest(request, vpn.tokens)
      request.pendingFault = faults.needsBody(target) ? 'undecided' : take(request, target)
    }
    done()
  })

  app.addHook('preParsing', (request, reply, payload, done) => {
    const fault = request.pendingFault
    if (fault === null || fault === 'undecided' || !('reset' in fault) || fault.afterBytes === undefined) {
      done(null, payload)
      return
    }
    const { afterBytes } = fault
    afterDelay(request, reply, () => {
      request.pendingFault = null
      done(null, resetAfter(request, payload as Readable, afterBytes))
    })
  })

  app.addHook('preValidation', (request, reply, done) => {
    const fault = decide(request)
    afterDelay(request, reply, () => {
      if (fault !== null && endsWithoutAnswer(fault, request, reply)) return
      if (fault?.status !== undefined) {
        const { slowBodyMs, truncate, malformed } = fault
        request.pendingFault =
          (slowBodyMs ?? truncate ?? malformed) === undefined ? null : { slowBodyMs, truncate, malformed }
        setHeaders(reply, fault)
        void reply.code(fault.status).send(bodyBytes(fault, request))
      } else {
        done()
      }
    })
  })

  // Requests with an unreadable body skip preValidation, so their faults take effect here. For an unknown path, the journal notes
  // which fault, such as a stub for another path, came nearest to answering it.
  app.addHook('onSend', (request, reply, payload, done) => {
    const fault = decide(request)
    if (fault === null) {
      const { journalRecord, world } = request
      if (reply.statusCode === 404 && journalRecord !== null && !world.faults.isEmpty) {
        const target = matchedRequest(request, world.vpn.tokens, bodyText(request))
        journalRecord.nearestFault = world.faults.nearestTo(target)
      }
      done(null, payload)
      return
    }
    afterDelay(request, reply, () => {
      request.pendingFault = null
      if (endsWithoutAnswer(fault, request, reply)) return
      sendFaulty(fault, request, reply, payload, done)
    })
  })
}

/** Ends the connection of a request, if that is its fault, and returns whether it did. */
function endsWithoutAnswer(
  fault: Fault,
  request: FastifyRequest,
  reply: FastifyReply,
): fault is Extract<Fault, { reset: true } | { empty: true }> {
  if (!('reset' in fault) && !('empty' in fault)) return false
  reply.hijack()
  if ('reset' in fault) resetConnection(request.raw.socket)
  // As a process that ends does.
  else request.raw.socket.end()
  return true
}

/** Sends an answer as its fault changes it. */
function sendFaulty(
  fault: AnswerFault,
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: (error: null, payload: unknown) => void,
): void {
  setHeaders(reply, fault)
  if (fault.status !== undefined) reply.code(fault.status)
  // The body may be null, in JSON.
  const isReplaced = fault.body !== undefined || (fault.status ?? fault.bodyBase64) !== undefined
  if (isReplaced && payload instanceof Readable) payload.destroy()
  const sent = isReplaced ? bodyBytes(fault, request) : payload
  if (request.journalRecord !== null) request.world.journal.keepAnswer(request.journalRecord, sent)
  if ((fault.truncate ?? fault.malformed ?? fault.slowBodyMs) === undefined) done(null, sent)
  else sendOddly(reply, sent, fault)
}

/** Returns the body of an answer to be sent. Its length is undefined if it was not announced. */
function outgoing(reply: FastifyReply, payload: unknown): { chunks: Readable; length: number | undefined } {
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
  let bytesLeft = most ?? Number.MAX_SAFE_INTEGER
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk as Uint8Array | string).subarray(0, bytesLeft)
    if (bytes.length > 0) yield bytes
    bytesLeft -= bytes.length
    if (most === undefined || bytesLeft <= 0) return
  }
}

const steps = 20

/** Yields the whole body in pieces, with pauses that add up to about `ms`. */
async function* trickle(
  chunks: Readable,
  length: number,
  ms: number,
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  const pieceLength = Math.max(1, Math.ceil(length / steps))
  const pauseMs = (ms * pieceLength) / Math.max(length, pieceLength)
  for await (const chunk of chunks) {
    const bytes = Buffer.from(chunk as Uint8Array | string)
    for (let start = 0; start < bytes.length; start += pieceLength) {
      const piece = bytes.subarray(start, start + pieceLength)
      await sleep((pauseMs * piece.length) / pieceLength, undefined, { signal })
      yield piece
    }
  }
}

/** Sends an answer without Fastify: first the head, then the pieces of the body. */
function sendOddly(reply: FastifyReply, payload: unknown, fault: AnswerFault): void {
  const { chunks, length } = outgoing(reply, payload)
  const half = length === undefined ? undefined : Math.floor(length / 2)
  // A truncated empty answer announces one byte that never comes.
  const whole = fault.truncate === true && length === 0 ? 1 : length
  const announced = fault.malformed === true ? half : whole
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
  if (announced !== undefined && hasBody) raw.setHeader('content-length', announced)
  raw.writeHead(reply.statusCode)
  raw.flushHeaders()
  const send = async () => {
    const pieces =
      fault.slowBodyMs === undefined
        ? beginning(chunks, half)
        : trickle(chunks, length ?? 64 * 1024, fault.slowBodyMs, gone.signal)
    for await (const piece of pieces) await written(raw, piece)
    if (fault.truncate === true) raw.socket?.destroy()
    else raw.end()
  }
  // Fails when the client leaves or the file cannot be read. Either way the answer is over.
  send().catch(() => raw.destroy())
}
