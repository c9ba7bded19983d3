import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../http/app'
import { pathOf } from '../http/parameters'
import type { Fault, FaultList } from './faults'

type AnswerFault = Extract<Fault, { status?: unknown }>

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

/** Announces the whole answer, sends half of it and breaks the connection. */
function truncate(reply: FastifyReply, payload: Buffer): void {
  reply.hijack()
  const { raw } = reply
  const whole = payload.length > 0 ? payload : Buffer.alloc(2)
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) raw.setHeader(name, value)
  }
  raw.setHeader('content-length', whole.length)
  raw.writeHead(reply.statusCode)
  raw.write(whole.subarray(0, Math.floor(whole.length / 2)), () => raw.socket?.destroy())
}

/**
 * Makes matching answers go wrong. With `status` the request is not processed at all; `headers` and `body` alone replace
 * those of the normal answer; `malformed` sends a complete answer whose body has lost its second half.
 */
export function strikeFaults(
  app: App,
  faults: FaultList,
  isWanted: (request: FastifyRequest) => boolean,
): void {
  const onTheWay = new WeakMap<FastifyRequest, Fault>()

  app.addHook('preHandler', (request, reply, done) => {
    const fault = isWanted(request) ? faults.take(request.method, pathOf(request)) : undefined
    if (fault === undefined) {
      done()
    } else if ('delayMs' in fault) {
      const timer = setTimeout(done, fault.delayMs)
      reply.raw.once('close', () => {
        clearTimeout(timer)
      })
    } else if ('reset' in fault) {
      reply.hijack()
      request.raw.socket.resetAndDestroy()
    } else if ('status' in fault && fault.status !== undefined) {
      setHeaders(reply, fault)
      void reply.code(fault.status).send(bodyBytes(fault.body))
    } else {
      onTheWay.set(request, fault)
      done()
    }
  })

  app.addHook('onSend', (request, reply, payload, done) => {
    const fault = onTheWay.get(request)
    const bytes =
      Buffer.isBuffer(payload) || typeof payload === 'string' ? Buffer.from(payload) : Buffer.alloc(0)
    if (fault === undefined) {
      done(null, payload)
    } else if ('truncate' in fault) {
      truncate(reply, bytes)
    } else if ('malformed' in fault) {
      done(null, bytes.subarray(0, Math.floor(bytes.length / 2)))
    } else if ('delayMs' in fault || 'reset' in fault) {
      done(null, payload)
    } else {
      setHeaders(reply, fault)
      done(null, fault.body === undefined ? payload : bodyBytes(fault.body))
    }
  })
}
