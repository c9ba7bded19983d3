import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { createServer as createSecureServer, type ServerOptions } from 'node:https'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifySchema,
  type FastifySchemaValidationError,
  type FastifyServerOptions,
  type FastifyTypeProvider,
  type HTTPMethods,
  type RawReplyDefaultExpression,
  type RawRequestDefaultExpression,
  type RawServerDefault,
  type RouteHandlerMethod,
} from 'fastify'
import { validatorCompiler } from 'fastify-type-provider-zod'
import type { z } from 'zod'
import { sendJson } from './answer'
import { Refusal } from './refusal'
import { pathOf } from './parameters'
import { messageOf } from '../errors'

/** Adds routes with their own hooks and body parsers. `given` are the other parameters of `add`. */
export function addPart<Given extends unknown[]>(
  app: App,
  add: (part: App, ...given: Given) => void,
  ...given: Given
): void {
  void app.register((part, _options, done) => {
    add(part, ...given)
    done()
  })
}

/** Infers the type of input from its schema. Answers are sent as bytes (answer.ts), so their schemas infer nothing. */
interface RouteTypes extends FastifyTypeProvider {
  validator: this['schema'] extends z.ZodType ? z.output<this['schema']> : unknown
  serializer: unknown
}

/** Fastify instance whose routes get types, validation and OpenAPI description from the same zod schemas. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  RouteTypes
>

/** A handler, and beside it the schemas that check and describe its route. */
interface Route<
  Body extends z.ZodType,
  Query extends z.ZodType,
  Params extends z.ZodType,
  Headers extends z.ZodType,
> extends FastifySchema {
  body?: Body
  querystring?: Query
  params?: Params
  headers?: Headers
  handler: (
    request: FastifyRequest & {
      body: z.output<Body>
      query: z.output<Query>
      params: z.output<Params>
      headers: z.output<Headers>
    },
    reply: FastifyReply,
  ) => FastifyReply | Promise<FastifyReply>
}

export function addRoute<
  Body extends z.ZodType,
  Query extends z.ZodType,
  Params extends z.ZodType,
  Headers extends z.ZodType,
>(app: App, method: HTTPMethods, url: string, route: Route<Body, Query, Params, Headers>): void {
  const { handler, ...schema } = route
  app.route({ method, url, schema, handler: handler as RouteHandlerMethod })
}

const maxBytes = 1024 * 1024
/** Limit for the address and all headers together; a larger request is refused before routing. */
const maxHeaderBytes = 64 * 1024
/** Exceeds any parameter that a request can hold; the schemas limit the parameters in paths. */
const maxParameter = 20_000
/** Time limit for a whole request: enough for 5 GiB at 10 MB/s. */
const requestTimeoutMs = 10 * 60_000

/** Returns an error for the first invalid value, with its name and rule: `pageSize: must be …`. */
function validationMessage([issue]: FastifySchemaValidationError[], part: string): Error {
  const place = issue?.instancePath.replace(/^\//, '').replaceAll('/', '.') ?? ''
  const name = place === '' ? (part === 'body' ? 'the body' : part) : place
  return new Error(`${name}: ${issue?.message ?? 'is malformed'}`)
}

/** Answers are sent as bytes (answer.ts); the schemas of answers only describe them. Fastify's own compilers aren't loaded. */
const compilersFactory: object = {
  buildValidator: () => validatorCompiler,
  buildSerializer: () => () => (data: unknown) => JSON.stringify(data),
}

const limit = { maxHeaderSize: maxHeaderBytes }

/** Creates a server that answers as the app does, and doesn't listen yet. */
export function newListener(app: App, tls?: ServerOptions): Server {
  const answer: RequestListener = (request, response) => {
    app.routing(request, response)
  }
  const server =
    tls === undefined ? createServer(limit, answer) : createSecureServer({ ...tls, ...limit }, answer)
  server.requestTimeout = requestTimeoutMs
  return server
}

/**
 * Creates an app without routes. Bodies are text, and malformed addresses are refused as their area does. `routedUrl` returns the
 * address by which a request finds its route.
 */
export function newApp(areas: ErrorArea[], routedUrl: (url: string) => string, tls?: ServerOptions): App {
  // The types of an https server differ; nothing here depends on the difference.
  const bare = Fastify({
    bodyLimit: maxBytes,
    requestTimeout: requestTimeoutMs,
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: maxParameter },
    forceCloseConnections: true,
    schemaErrorFormatter: validationMessage,
    schemaController: { compilersFactory },
    rewriteUrl: ({ url = '/' }: IncomingMessage) => routedUrl(url),
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      areaOf(areas, request).send(request, reply, error.statusCode ?? 400, error.message)
    },
    ...(tls === undefined ? { http: limit } : { https: { ...tls, ...limit } }),
  } as FastifyServerOptions)
  const app = bare.withTypeProvider<RouteTypes>()
  // A key without a value makes Fastify warn of an incomplete schema, once for each route.
  app.addHook('onRoute', ({ schema = {} }) => {
    for (const [name, value] of Object.entries(schema))
      if (value === undefined) Reflect.deleteProperty(schema, name)
  })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => {
    done(null, body)
  })
  return app
}

/** A part of the address space and the format of its errors, which each document defines differently. */
export interface ErrorArea {
  holds: (path: string) => boolean
  /** `details` are the fields of a Refusal beside the message. */
  send: (
    request: FastifyRequest,
    reply: FastifyReply,
    status: number,
    message: string,
    details?: object,
  ) => FastifyReply
}

const elsewhere: ErrorArea = {
  holds: () => true,
  send: (_request, reply, status, message) => sendJson(reply, status, { error: message }),
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

export function isBelow(prefix: string): (path: string) => boolean {
  const below = `${prefix}/`
  return (path) => path === prefix || path.startsWith(below)
}

function statusOf(error: unknown): number {
  const status = typeof error === 'object' && error !== null && 'statusCode' in error ? error.statusCode : 500
  return typeof status === 'number' && status >= 400 && status < 600 ? status : 500
}

function areaOf(areas: ErrorArea[], request: FastifyRequest): ErrorArea {
  const path = pathOf(request)
  return areas.find((area) => area.holds(path)) ?? elsewhere
}

/** Answers unknown paths, wrong methods, unreadable requests and failures of the mock in the format of their area. */
export function answerErrors(app: App, areas: ErrorArea[]): void {
  const answerUnknown = (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const path = pathOf(request)
    const exists = (method: (typeof methods)[number]) => {
      // findRoute returns null for no route, despite its type. A route with an empty parameter does not count.
      const route = app.findRoute({ url: path, method }) as { params?: Record<string, string> } | null
      return route !== null && !Object.values(route.params ?? {}).includes('')
    }
    const allowed = methods.filter(exists)
    if (allowed.length === 0) return areaOf(areas, request).send(request, reply, 404, 'Not Found')
    reply.header('allow', allowed.join(', '))
    return areaOf(areas, request).send(request, reply, 405, 'Method Not Allowed')
  }
  app.setNotFoundHandler(answerUnknown)

  app.setErrorHandler((error, request, reply) => {
    // Fastify demands a Content-Type of QUERY before it looks for a route.
    if (request.is404 && request.method === 'QUERY') return answerUnknown(request, reply)
    const details = error instanceof Refusal ? error.details : {}
    return areaOf(areas, request).send(request, reply, statusOf(error), messageOf(error), details)
  })
}
