import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { call } from '../control/control-calls'
import { sendJsonText } from '../http/answer'
import { addPart, addRoute, type App } from '../http/app'
import { formOf, queryOf } from '../http/parameters'
import { errorSchema } from './answer-schemas'
import { answerText, badParameter, described } from './content-answer'
import { misprintSchema } from './misprints'
import { httpAddress, words } from './parameters'

/** Returns the parameters from query and body; the body wins. Passes on a body that is not a set of parameters. */
export function givenParameters(request: FastifyRequest): unknown {
  const { body } = request
  const query = queryOf(request)
  if (body === undefined) return query
  if (typeof body === 'string') return { ...query, ...formOf(request) }
  return typeof body === 'object' && body !== null && !Array.isArray(body) ? { ...query, ...body } : body
}

const misprintParameters = z.object(
  {
    text: words(5000).describe('The misprint; required.'),
    url: httpAddress.describe('Address of the article; required.'),
  },
  { error: 'must be a form or a JSON object' },
)

export function addMisprintRoutes(app: App, base: string): void {
  addPart(app, (part) => {
    part.addHook('preValidation', (request, _reply, done) => {
      request.body = givenParameters(request)
      done()
    })
    addRoute(part, 'POST', `${base}/misprints/new`, {
      ...described('Reports a misprint'),
      description:
        'The parameters come as a form, as JSON, or in the query; the body wins where both have one. The document ' +
        'shows no answer: this one is chosen.',
      consumes: ['application/x-www-form-urlencoded', 'application/json'],
      body: misprintParameters,
      response: {
        200: z
          .object({
            result: z.literal(true),
            id: z.uuid().describe('Names the report in the control calls'),
          })
          .describe('It was written down.'),
        ...badParameter,
        415: errorSchema.describe('The body is neither a form nor JSON.'),
      },
      handler: ({ body, world: { content } }, reply) => {
        const { id } = content.misprints.add(body.text, body.url)
        return sendJsonText(reply, 200, answerText(content, { result: true, id }))
      },
    })
  })
}

export const contentCalls = {
  'GET /misprints': call({
    summary: 'Lists the reported misprints, newest last',
    answer: z.array(misprintSchema).describe('The newest 1000'),
    run: ({ world }) => world.content.misprints.all,
  }),
  'DELETE /misprints': call({
    summary: 'Deletes the reported misprints',
    run: ({ world }) => {
      world.content.misprints.clear()
    },
  }),
}
