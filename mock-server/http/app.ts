import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifySchemaValidationError,
  type RawReplyDefaultExpression,
  type RawRequestDefaultExpression,
  type RawServerDefault,
} from 'fastify'
import { validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'

/** A Fastify whose routes take their types, their checks and their OpenAPI description from the same zod schemas. */
export type App = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  ZodTypeProvider
>

const mostBytes = 1024 * 1024
/** Time for a whole request: 5 GiB at 10 MB/s fit in it. */
const requestTimeoutMs = 10 * 60_000

/** Says of the first thing that is wrong with a request where it is and what it should be: `pageSize: must be …`. */
function validationMessage([issue]: FastifySchemaValidationError[], part: string): Error {
  const place = issue?.instancePath.replace(/^\//, '').replaceAll('/', '.') ?? ''
  const name = place === '' ? (part === 'body' ? 'the body' : part) : place
  return new Error(`${name}: ${issue?.message ?? 'is malformed'}`)
}

/** An app without routes. Bodies are kept as text; a part that wants JSON says so with `takeJson`. */
export function newApp(): App {
  const app = Fastify({
    bodyLimit: mostBytes,
    requestTimeout: requestTimeoutMs,
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    schemaErrorFormatter: validationMessage,
    frameworkErrors: (error, _request, reply) => {
      reply.hijack()
      reply.raw.writeHead(error.statusCode ?? 400, { 'content-type': 'application/json' })
      reply.raw.end(JSON.stringify({ error: error.message }))
    },
  }).withTypeProvider<ZodTypeProvider>()
  app.setValidatorCompiler(validatorCompiler)
  // Answers are sent as bytes (answer.ts): the schemas of answers are there for their description.
  app.setSerializerCompiler(() => (data) => JSON.stringify(data))
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => {
    done(null, body)
  })
  return app
}
