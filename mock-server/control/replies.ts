import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { sendJson } from '../http/answer'
import { tags } from '../openapi/openapi'

const error = z.object({ error: z.string() })

/** What the description of a control call says of itself. */
export function described(summary: string, description?: string) {
  return { tags: [tags.control], summary, ...(description === undefined ? {} : { description }) }
}

/** The answer of a call that has nothing to tell. */
export const okSchema = z.object({ ok: z.literal(true) }).describe('Done.')

/** A refusal of a control call, in words. */
export function errorSchema(when: string) {
  return error.describe(when)
}

/** The refusal of input that does not fit. */
export const badInput = { 400: errorSchema('The input does not fit; the error says where.') }

export function sendOk(reply: FastifyReply): FastifyReply {
  return sendJson(reply, 200, { ok: true })
}
