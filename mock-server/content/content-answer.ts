import type { FastifyReply } from 'fastify'
import { stringify } from 'lossless-json'
import { sendJson, sendJsonText } from '../http/answer'
import { tags } from '../openapi/openapi'
import { errorSchema, type Tweet } from './answer-schemas'
import type { ContentService } from './content-service'
import { withOddTypes } from './odd-types'
import { withBadRecords, withLargeIds, withTextualDates } from './other-shapes'
import type { ContentVariant } from './content-variant'

/** Version of the API, the first segment of its paths. */
export const version = '2.3'

export const described = (summary: string) => ({ tags: [tags.content], summary })
export const badParameter = { 400: errorSchema.describe('A parameter is missing or wrong.') }
export const unknown = (what: string) => ({ 404: errorSchema.describe(`There is no such ${what}.`) })

/** Largest page in the variant `fixed-pages`. */
const fixedPage = 10

const shapes: Partial<Record<ContentVariant, (value: unknown) => unknown>> = {
  'odd-types': (value) => withOddTypes(value),
  'textual-dates': withTextualDates,
  'bad-records': withBadRecords,
  'fixed-pages': (value) => (Array.isArray(value) ? value.slice(0, fixedPage) : value),
}

/** Answers 200 with this value, in the form of the current variant. */
export function answer(reply: FastifyReply, service: ContentService, value: unknown): FastifyReply {
  return sendJson(reply, 200, shapes[service.variant]?.(value) ?? value)
}

/** Answers with tweets like `answer`; one variant gives them larger ids. */
export function answerTweets(reply: FastifyReply, service: ContentService, tweets: Tweet[]): FastifyReply {
  if (service.variant !== 'large-ids') return answer(reply, service, tweets)
  return sendJsonText(reply, 200, stringify(withLargeIds(tweets)))
}

/** Answers with the error object (content-and-organization-apis.md, section 2, interface A). */
export function sendContentError(reply: FastifyReply, code: number, message: string): FastifyReply {
  return sendJson(reply, code, { error: { code, message } })
}
