import { pipeline, Readable, Transform } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../http/app'
import type { AnswerFault, Fault, FaultList } from './faults'
import { sendHalf, sendSlowly, sendTruncated } from './send-in-pieces'

declare module 'fastify' {
  interface FastifyRequest {
    /** The fault that strikes this request and has not done so yet. */
    waitingFault: Fault | null
  }
}

function bodyBytes(body: AnswerFault['body']): Buffer {
  if (body === undefined) return Buffer.alloc(0)
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}

function setHeaders(reply: FastifyReply, fault: AnswerFault): void {
  if (fault.body !== undefined && typeof fault.body !== 'string') {
    reply.header('content-type', 'application/json')
  }
  for (const [name, value] of Object.entries(fault.headers ?? {})) reply.header(name, value)
}

function delay(reply: FastifyReply, ms: number, done: () => void): void {
  const timer = setTimeout(done, ms)
  reply.raw.once('close', () => {
    clearTimeout(timer)
  })
}

function resetConnection(request: FastifyRequest, reply: FastifyReply): void {
  reply.hijack()
  request.raw.socket.resetAndDestroy()
}

/** Passes a body on until this many bytes of it have come, and then resets the connection. */
function resetAfter(request: FastifyRequest, body: Readable, most: number): Readable {
  let left = most
  const counter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      left -= chunk.length
      if (left > 0) {
        done(null, chunk)
        return
      }
      request.raw.socket.resetAndDestroy()
      done(new Error('the connection was reset on demand'))
    },
  })
  // Whoever reads the counter learns of a failure from it.
  return pipeline(body, counter, () => undefined)
}

function targetOf(request: FastifyRequest) {
  const start = request.url.indexOf('?')
  const path = start < 0 ? request.url : request.url.slice(0, start)
  return { method: request.method, path, query: start < 0 ? '' : request.url.slice(start + 1) }
}

/**
 * Makes matching answers go wrong, before anything but the journal has looked at the request. With `status` it is not
 * processed at all; `headers` and `body` alone replace those of the normal answer; `malformed` sends a complete answer
 * whose body has lost its second half. A fault strikes also what is answered with an error.
 */
export function strikeFaults(
  app: App,
  faults: FaultList,
  isWanted: (request: FastifyRequest) => boolean,
): void {
  app.decorateRequest('waitingFault', null)
  app.addHook('onRequest', (request, _reply, done) => {
    if (!faults.isEmpty && isWanted(request)) request.waitingFault = faults.take(targetOf(request)) ?? null
    done()
  })

  app.addHook('preParsing', (request, _reply, payload, done) => {
    const fault = request.waitingFault
    if (fault === null || !('reset' in fault) || fault.afterBytes === undefined) {
      done(null, payload)
      return
    }
    request.waitingFault = null
    done(null, resetAfter(request, payload as Readable, fault.afterBytes))
  })

  app.addHook('preValidation', (request, reply, done) => {
    const fault = request.waitingFault
    if (fault === null) {
      done()
    } else if ('delayMs' in fault) {
      request.waitingFault = null
      delay(reply, fault.delayMs, done)
    } else if ('reset' in fault) {
      resetConnection(request, reply)
    } else if ('status' in fault && fault.status !== undefined) {
      request.waitingFault = null
      setHeaders(reply, fault)
      void reply.code(fault.status).send(bodyBytes(fault.body))
    } else {
      done()
    }
  })

  // Also reached by requests whose body could not be read, which never came to the hook above.
  app.addHook('onSend', (request, reply, payload, done) => {
    const fault = request.waitingFault
    if (fault === null) {
      done(null, payload)
      return
    }
    request.waitingFault = null
    if ('truncate' in fault) {
      sendTruncated(reply, payload)
    } else if ('malformed' in fault) {
      sendHalf(reply, payload)
    } else if ('slowBodyMs' in fault) {
      sendSlowly(reply, payload, fault.slowBodyMs)
    } else if ('delayMs' in fault) {
      delay(reply, fault.delayMs, () => {
        done(null, payload)
      })
    } else if ('reset' in fault) {
      resetConnection(request, reply)
    } else {
      setHeaders(reply, fault)
      if (fault.status !== undefined) reply.code(fault.status)
      const replaced = fault.status !== undefined || fault.body !== undefined
      if (replaced && payload instanceof Readable) payload.destroy()
      done(null, replaced ? bodyBytes(fault.body) : payload)
    }
  })
}
