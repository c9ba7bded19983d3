import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendJson } from './answer'
import type { App } from './app'
import { pathOf } from './parameters'

/** A part of the address space and how its errors look: each document has its own shape. */
export interface ErrorArea {
  holds: (path: string) => boolean
  send: (request: FastifyRequest, reply: FastifyReply, status: number, message: string) => FastifyReply
}

const elsewhere: ErrorArea = {
  holds: () => true,
  send: (_request, reply, status, message) => sendJson(reply, status, { error: message }),
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** Whether a path is this one or below it. */
export function isBelow(prefix: string): (path: string) => boolean {
  return (path) => path === prefix || path.startsWith(`${prefix}/`)
}

function statusOf(error: unknown): number {
  const status = typeof error === 'object' && error !== null && 'statusCode' in error ? error.statusCode : 500
  return typeof status === 'number' && status >= 400 && status < 600 ? status : 500
}

/** The area that a request is in. */
export function areaOf(areas: ErrorArea[], request: FastifyRequest): ErrorArea {
  const path = pathOf(request)
  return areas.find((area) => area.holds(path)) ?? elsewhere
}

/** Answers unknown paths, wrong methods, unreadable requests and failures of the mock in the shape of their area. */
export function answerErrors(app: App, areas: ErrorArea[]): void {
  app.setNotFoundHandler((request, reply) => {
    const path = pathOf(request)
    const exists = (method: (typeof methods)[number]) => {
      // None where there is no route, whatever the types say; one with an empty parameter is none either.
      const route = app.findRoute({ url: path, method }) as { params?: Record<string, string> } | null
      return route !== null && !Object.values(route.params ?? {}).includes('')
    }
    const allowed = methods.filter(exists)
    if (allowed.length === 0) return areaOf(areas, request).send(request, reply, 404, 'Not Found')
    reply.header('allow', allowed.join(', '))
    return areaOf(areas, request).send(request, reply, 405, 'Method Not Allowed')
  })

  app.setErrorHandler((error, request, reply) => {
    const message = error instanceof Error ? error.message : 'the mock server failed'
    return areaOf(areas, request).send(request, reply, statusOf(error), message)
  })
}
