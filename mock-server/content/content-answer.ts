import type { FastifyReply } from 'fastify'
import { sendJson } from '../http/answer'
import { tags } from '../openapi/openapi'
import { errorSchema } from './answer-schemas'
import type { ContentService } from './content-service'
import { withOddTypes } from './odd-types'

/** The version of the API: the first segment of its paths. */
export const version = '2.3'

export const described = (summary: string) => ({ tags: [tags.content], summary })
export const badParameter = { 400: errorSchema.describe('A parameter is missing or wrong.') }
export const unknown = (what: string) => ({ 404: errorSchema.describe(`There is no such ${what}.`) })

/** Answers 200 with this value, in the types that the situation calls for. */
export function answer(reply: FastifyReply, service: ContentService, value: unknown): FastifyReply {
  return sendJson(reply, 200, service.situation === 'odd-types' ? withOddTypes(value) : value)
}

/** Answers with the error object of content-and-organization-apis.md, section 2, interface A. */
export function sendContentError(reply: FastifyReply, code: number, message: string): FastifyReply {
  return sendJson(reply, code, { error: { code, message } })
}
