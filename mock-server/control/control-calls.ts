import { z } from 'zod'
import { sendJson } from '../http/answer'
import type { App } from '../http/app'
import { tags } from '../openapi/openapi'

const error = z.object({ error: z.string() })
const done = z.object({ ok: z.literal(true) }).describe('Done.')

/** A control call that can't be carried out: answered with this status and `{"error": message}`. */
export class ControlRefusal extends Error {
  readonly statusCode: number

  constructor(statusCode: 400 | 404 | 409, message: string) {
    super(message)
    this.name = 'ControlRefusal'
    this.statusCode = statusCode
  }
}

/** The definition of a control call, from which its route, its checks and its OpenAPI description are made. */
interface ControlCall<Body, Query, Params> {
  summary: string
  description?: string
  body?: z.ZodType<Body>
  query?: z.ZodType<Query>
  params?: z.ZodType<Params>
  /** The answer; `{"ok": true}` if omitted. */
  answer?: z.ZodType
  /** The other statuses with their meanings. `run` throws a ControlRefusal for them. */
  refusals?: Record<number, string>
  /** Carries out the call. Returns its answer, or nothing for `{"ok": true}`. */
  run(given: { body: Body; query: Query; params: Params }): unknown
}

/** Adds control calls below a path. */
export class ControlCalls {
  readonly #app: App
  readonly #base: string

  constructor(app: App, base: string) {
    this.#app = app
    this.#base = base
  }

  /** Adds a call such as `POST /reset`. */
  add<Body = undefined, Query = undefined, Params = undefined>(
    route: `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`,
    call: ControlCall<Body, Query, Params>,
  ): void {
    const [method = '', path = ''] = route.split(' ')
    const { summary, description, body, query, params, answer = done, refusals = {} } = call
    const hasInput = body !== undefined || query !== undefined || params !== undefined
    const statuses = Object.entries({
      ...(hasInput ? { 400: 'The input is not valid; the error names the field.' } : {}),
      ...refusals,
    })
    this.#app.route({
      method,
      url: `${this.#base}${path}`,
      schema: {
        tags: [tags.control],
        summary,
        description,
        body,
        querystring: query,
        params,
        response: {
          200: answer,
          ...Object.fromEntries(statuses.map(([status, meaning]) => [status, error.describe(meaning)])),
        },
      },
      handler: async (request, reply) => {
        // The schemas above have checked the input.
        const given = request as unknown as Parameters<typeof call.run>[0]
        return sendJson(reply, 200, (await call.run(given)) ?? { ok: true })
      },
    })
  }
}
