import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendJson } from './answer'
import { pathOf } from './parameters'

/** A part of the address space and how its errors look: each document has its own shape. */
export interface ErrorArea {
  prefix: string
  send: (request: FastifyRequest, reply: FastifyReply, status: number, message: string) => FastifyReply
}

const elsewhere: ErrorArea = {
  prefix: '',
  send: (_request, reply, status, message) => sendJson(reply, status, { error: message }),
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

function statusOf(error: unknown): number {
  const status = typeof error === 'object' && error !== null && 'statusCode' in error ? error.statusCode : 500
  return typeof status === 'number' && status >= 400 && status < 600 ? status : 500
}

/** Answers unknown paths, wrong methods, unreadable bodies and failures of the mock in the shape of their area. */
export function answerErrors(app: FastifyInstance, areas: ErrorArea[]): void {
  const areaOf = (request: FastifyRequest): ErrorArea => {
    const path = pathOf(request)
    return areas.find((area) => path === area.prefix || path.startsWith(`${area.prefix}/`)) ?? elsewhere
  }

  app.setNotFoundHandler((request, reply) => {
    const path = pathOf(request)
    const allowed = methods.filter((method) => app.hasRoute({ url: path, method }))
    if (allowed.length === 0) return areaOf(request).send(request, reply, 404, 'Not Found')
    reply.header('allow', allowed.join(', '))
    return areaOf(request).send(request, reply, 405, 'Method Not Allowed')
  })

  app.setErrorHandler((error, request, reply) => {
    const message = error instanceof Error ? error.message : 'the mock server failed'
    return areaOf(request).send(request, reply, statusOf(error), message)
  })
}
