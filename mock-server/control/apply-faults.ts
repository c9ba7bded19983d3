import { pipeline, Readable, Transform } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../http/app'
import { bodyText } from '../http/json-body'
import type { AnswerFault, Fault } from './faults'
import { matchedRequest } from './request-match'
import { sendHalf, sendSlowly, sendTruncated } from './send-in-pieces'
import { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'

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

declare module 'fastify' {
  interface FastifyRequest {
    /** Fault that still has to affect this request; `undecided` until its body has been read. */
    pendingFault: Fault | 'undecided' | null
  }
}

function bodyBytes({ body, bodyBase64 }: AnswerFault): Buffer {
  if (bodyBase64 !== undefined) return Buffer.from(bodyBase64, 'base64')
  if (body === undefined) return Buffer.alloc(0)
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}

function setHeaders(reply: FastifyReply, fault: AnswerFault): void {
  if (fault.body !== undefined && typeof fault.body !== 'string') {
    reply.header('content-type', 'application/json')
  }
  for (const [name, value] of Object.entries(fault.headers ?? {})) reply.header(name, value)
}

/** Goes on after the delay of the fault that is pending, if it has one. */
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

function resetAnswer(request: FastifyRequest, reply: FastifyReply): void {
  reply.hijack()
  resetConnection(request.raw.socket)
}

/** Forwards a body up to this many bytes, then resets the connection. */
function resetAfter(request: FastifyRequest, body: Readable, most: number): Readable {
  let left = most
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      left -= chunk.length
      if (left > 0) {
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

/**
 * Makes matching requests fail, before anything but the journal sees them. A fault with `status` prevents processing;
 * `headers` and `body` without it replace those of the normal answer; `malformed` sends the first half of the body as a
 * complete answer. Error answers are affected too.
 */
export function applyFaults(app: App, isWanted: (request: FastifyRequest) => boolean): void {
  /** Returns the fault of a request whose body has been read. */
  const decide = (request: FastifyRequest): Fault | null => {
    if (request.pendingFault === 'undecided') {
      const { faults } = request.world
      const target = matchedRequest(request, request.world.vpn.tokens, bodyText(request))
      request.pendingFault = faults.take(target) ?? null
    }
    return request.pendingFault
  }
  app.decorateRequest('pendingFault', null)
  app.addHook('onRequest', (request, _reply, done) => {
    const { faults, vpn } = request.world
    if (!faults.isEmpty && isWanted(request)) {
      const target = matchedRequest(request, vpn.tokens)
      request.pendingFault = faults.needsBody(target) ? 'undecided' : (faults.take(target) ?? null)
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
    if (fault === null) {
      done()
      return
    }
    afterDelay(request, reply, () => {
      if ('reset' in fault) {
        resetAnswer(request, reply)
      } else if ('status' in fault && fault.status !== undefined) {
        request.pendingFault = null
        setHeaders(reply, fault)
        void reply.code(fault.status).send(bodyBytes(fault))
      } else {
        done()
      }
    })
  })

  // Requests with an unreadable body skip preValidation, so their faults take effect here.
  app.addHook('onSend', (request, reply, payload, done) => {
    const fault = decide(request)
    if (fault === null) {
      done(null, payload)
      return
    }
    afterDelay(request, reply, () => {
      request.pendingFault = null
      if ('truncate' in fault) {
        sendTruncated(reply, payload)
      } else if ('malformed' in fault) {
        sendHalf(reply, payload)
      } else if ('slowBodyMs' in fault) {
        sendSlowly(reply, payload, fault.slowBodyMs)
      } else if ('reset' in fault) {
        resetAnswer(request, reply)
      } else {
        setHeaders(reply, fault)
        if (fault.status !== undefined) reply.code(fault.status)
        const isReplaced = (fault.status ?? fault.body ?? fault.bodyBase64) !== undefined
        if (isReplaced && payload instanceof Readable) payload.destroy()
        done(null, isReplaced ? bodyBytes(fault) : payload)
      }
    })
  })
}
