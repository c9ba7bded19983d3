import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifySchemaValidationError,
  type FastifyTypeProvider,
  type RawReplyDefaultExpression,
  type RawRequestDefaultExpression,
  type RawServerDefault,
} from 'fastify'
import { validatorCompiler } from 'fastify-type-provider-zod'
import type { z } from 'zod'
import { areaOf, type ErrorArea } from './error-area'

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
