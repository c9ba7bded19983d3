import type { FastifyReply } from 'fastify'
import { stringify } from 'lossless-json'
import { sendJson } from '../http/answer'
import { tags } from '../openapi/openapi'
import { errorSchema } from './answer-schemas'
import type { ContentService } from './content-service'
import { withOddTypes } from './odd-types'
import { withBadRecords, withLargeIds, withTextualDates } from './other-shapes'
import type { ContentVariant } from './content-variant'

/** Version of the API, the first segment of its paths. */
export const version = '2.3'

export const described = (summary: string) => ({ tags: [tags.content], summary })
export const badParameter = { 400: errorSchema.describe('A parameter is missing or wrong.') }

/** Largest page in the variant `fixed-pages`. */
const fixedPage = 10

const shapes: Partial<Record<ContentVariant, (value: unknown) => unknown>> = {
  'odd-types': (value) => withOddTypes(value),
  'textual-dates': withTextualDates,
  'bad-records': withBadRecords,
  'fixed-pages': (value) => (Array.isArray(value) ? value.slice(0, fixedPage) : value),
}

/** Returns the JSON of a value in the form of the current variant. */
export function answerText({ variant }: ContentService, value: unknown): string {
  // Above 2^53, as JSON numbers: only tweets and their users have such ids.
  if (variant === 'large-ids' && isListOfTweets(value)) return stringify(withLargeIds(value)) ?? ''
  return JSON.stringify(shapes[variant]?.(value) ?? value)
}

function isListOfTweets(value: unknown): boolean {
  return Array.isArray(value) && value.some((one: object) => 'retweet_count' in one)
}

/** Answers with the error object (content-and-organization-apis.md, section 2, interface A). */
export function sendContentError(reply: FastifyReply, code: number, message: string): FastifyReply {
  return sendJson(reply, code, { error: { code, message } })
}
