import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifySchemaValidationError,
  type FastifyTypeProvider,
  type RawReplyDefaultExpression,
  type RawRequestDefaultExpression,
  type RawServerDefault,
} from 'fastify'
import { validatorCompiler } from 'fastify-type-provider-zod'
import type { z } from 'zod'
import { sendJson } from './answer'
import { pathOf } from './parameters'

/** Types what comes in by its schema. What goes out is bytes already (answer.ts), so schemas of answers type nothing. */
interface RouteTypes extends FastifyTypeProvider {
  validator: this['schema'] extends z.ZodType ? z.output<this['schema']> : unknown
  serializer: unknown
}

/** A Fastify whose routes take their types, their checks and their OpenAPI description from the same zod schemas. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  RouteTypes
>

const mostBytes = 1024 * 1024
/** Of the address and all headers together; more is refused before it is known whose call it is. */
const mostHeaderBytes = 64 * 1024
/** Longer than a request can have: how long a parameter in a path may be is for its schema to say. */
const longestParameter = 20_000
/** Time for a whole request: 5 GiB at 10 MB/s fit in it. */
const requestTimeoutMs = 10 * 60_000

/** Says of the first thing that is wrong with a request where it is and what it should be: `pageSize: must be …`. */
function validationMessage([issue]: FastifySchemaValidationError[], part: string): Error {
  const place = issue?.instancePath.replace(/^\//, '').replaceAll('/', '.') ?? ''
  const name = place === '' ? (part === 'body' ? 'the body' : part) : place
  return new Error(`${name}: ${issue?.message ?? 'is malformed'}`)
}

/**
 * An app without routes. Bodies are kept as text; a part that wants JSON says so with `takeJson`. What is wrong with an
 * address before any route is looked for is answered in the shape of its area.
 */
export function newApp(areas: ErrorArea[] = []): App {
  const app = Fastify({
    bodyLimit: mostBytes,
    requestTimeout: requestTimeoutMs,
    exposeHeadRoutes: false,
    http: { maxHeaderSize: mostHeaderBytes },
    routerOptions: { maxParamLength: longestParameter },
    forceCloseConnections: true,
    schemaErrorFormatter: validationMessage,
    frameworkErrors: (error, request, reply) => {
      areaOf(areas, request).send(request, reply, error.statusCode ?? 400, error.message)
    },
  }).withTypeProvider<RouteTypes>()
  app.setValidatorCompiler(validatorCompiler)
  // Answers are sent as bytes (answer.ts): the schemas of answers are there for their description.
  app.setSerializerCompiler(() => (data) => JSON.stringify(data))
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => {
    done(null, body)
  })
  return app
}

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
