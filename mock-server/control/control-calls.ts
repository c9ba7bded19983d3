import type { Server } from 'node:http'
import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { sendJson } from '../http/answer'
import type { App } from '../http/app'
import type { Origins } from '../http/origin'
import type { MockState } from '../mock-state'
import { tags } from '../openapi/openapi'
import { paths } from '../paths'
import { errorAnswer } from '../schemas'
import type { Worlds } from '../worlds'

const done = z.object({ ok: z.literal(true) }).describe('Done.')
type Done = typeof done

export interface ServerFacts {
  worlds: Worlds
  /** Returns a server for a world with a port of its own, which doesn't listen yet. */
  newServer: (world: MockState) => Server
  origins: Origins
  /** The address that the mock listens on. */
  host: string
  options: object
  /** File with the CA certificate that clients must trust; undefined if there is none. */
  caFile: string | undefined
}

interface Given<Body, Query, Params> {
  body: Body
  query: Query
  params: Params
  world: MockState
  server: ServerFacts
  /** The origin that the client called, without the path of its world. */
  serverOrigin: string
  /** The answer that is made of what `run` returns. */
  reply: FastifyReply
}

/** The definition of a control call, from which its route, its checks, its OpenAPI description and the client's types are made. */
export interface ControlCall<
  Body extends z.ZodType,
  Query extends z.ZodType,
  Params extends z.ZodType,
  Answer extends z.ZodType,
> {
  summary: string
  description?: string
  body?: Body
  query?: Query
  params?: Params
  /** The answer; `{"ok": true}` if omitted. */
  answer?: Answer
  /** The other statuses with their meanings, or with their schemas. `run` throws a Refusal for them. */
  refusals?: Record<number, string | z.ZodType>
  /** Carries out the call. Returns its answer, or nothing for `{"ok": true}`. */
  run(given: Given<z.output<Body>, z.output<Query>, z.output<Params>>): unknown
}

export type ControlCalls = Record<string, ControlCall<z.ZodType, z.ZodType, z.ZodType, z.ZodType>>

/** Returns the definition, with the types of its schemas. */
export function call<
  Body extends z.ZodType = z.ZodUndefined,
  Query extends z.ZodType = z.ZodUndefined,
  Params extends z.ZodType = z.ZodUndefined,
  Answer extends z.ZodType = Done,
>(definition: ControlCall<Body, Query, Params, Answer>): ControlCall<Body, Query, Params, Answer> {
  return definition
}

export function addControlCalls(app: App, calls: ControlCalls, server: ServerFacts): void {
  for (const [route, definition] of Object.entries(calls)) {
    const [method = '', path = ''] = route.split(' ')
    const { summary, description, body, query, params, refusals = {} } = definition
    const badInput = { 400: 'The input is not valid; the error names the field.' }
    const answers = Object.entries<string | z.ZodType>({
      200: definition.answer ?? done,
      ...((body ?? query ?? params) === undefined ? {} : badInput),
      ...refusals,
    }).map(([status, meaning]) => [status, typeof meaning === 'string' ? errorAnswer(meaning) : meaning])
    app.route({
      method,
      url: `${paths.control}${path}`,
      schema: {
        tags: [tags.control],
        summary,
        description,
        body,
        querystring: query,
        params,
        response: Object.fromEntries(answers) as Record<string, z.ZodType>,
      },
      handler: async (request, reply) => {
        // The schemas above have checked the input.
        const { world, worldPrefix, askedOrigin, body, query, params } = request
        const serverOrigin = askedOrigin.slice(0, askedOrigin.length - worldPrefix.length)
        const given = { world, body, query, params, server, serverOrigin, reply }
        return sendJson(reply, 200, (await definition.run(given)) ?? { ok: true })
      },
    })
  }
}
