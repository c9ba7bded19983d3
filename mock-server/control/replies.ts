import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { sendJson } from '../http/answer'
import { tags } from '../openapi/openapi'

const error = z.object({ error: z.string() })

/** Returns the OpenAPI description of a control call. */
export function described(summary: string, description?: string) {
  return { tags: [tags.control], summary, ...(description === undefined ? {} : { description }) }
}

/** Answer of a call without a result. */
export const okSchema = z.object({ ok: z.literal(true) }).describe('Done.')

/** Describes a refused control call. */
export function errorSchema(when: string) {
  return error.describe(when)
}

/** Describes the refusal of invalid input. */
export const badInput = { 400: errorSchema('The input is not valid; the error names the field.') }

export function sendOk(reply: FastifyReply): FastifyReply {
  return sendJson(reply, 200, { ok: true })
}
