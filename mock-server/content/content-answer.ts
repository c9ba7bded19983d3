import type { FastifyReply } from 'fastify'
import { stringify } from 'lossless-json'
import { sendJson } from '../http/answer'
import { tags } from '../openapi/openapi'
import { errorSchema } from './answer-schemas'
import type { ContentService, ContentVariant } from './content-service'

/** Fields that real servers sometimes leave out. */
const leftOut =
  /^(dateRFC|externalLink|isFavorited|media|mobile_url|profile_background_url|rating|socialAccounts|sources)$/
/** Fields that real servers sometimes set to null. */
const nulled = /^(commentsCount|favorite_count|hits|likes|preview_img|title)$/

/** Returns the value as loosely typed servers send it, depending on the index in the list. Ids keep their value. */
function withOddTypes(value: unknown, place = 0): unknown {
  if (Array.isArray(value)) return value.map((element, index) => withOddTypes(element, index))
  if (value === null) return []
  if (typeof value === 'boolean') return Number(value)
  if (typeof value === 'number') return place % 2 === 0 ? String(value) : value
  if (typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]): [string, unknown][] => {
      if (place % 3 === 2 && leftOut.test(name)) return []
      if (place % 3 === 1 && nulled.test(name)) return [[name, null]]
      return [[name, withOddTypes(field, place)]]
    }),
  )
}

function withLargeIds(value: unknown): unknown {
  return changed(value, (name, field) =>
    name === 'id' && typeof field === 'number' ? 1_050_118_621_198_900_000n + BigInt(field) : field,
  )
}

const dateForms: readonly ((date: Date) => unknown)[] = [
  (date) => {
    const [weekday = '', day = '', month = '', year = '', time = ''] = date.toUTCString().split(/,? /)
    return `${weekday} ${month} ${day} ${time} +0000 ${year}`
  },
  (date) => date.toISOString(),
  (date) => date.getTime(),
  (date) => date.toUTCString(),
]

/** Returns the value with its times in several formats, depending on the index in the list. */
function withTextualDates(value: unknown): unknown {
  return changed(value, (name, field, place) => {
    const isDate = (name === 'date' || name === 'created_at') && typeof field === 'number'
    return isDate ? dateForms[place % dateForms.length]?.(new Date(field * 1000)) : field
  })
}

/** Returns the value with unreadable records in its lists, and with records of an unknown type. */
function withBadRecords(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((record, place) => oneRecord(withBadRecords(record), place))
  // The comments are a part of their entry.
  return changed(value, (name, field) => (name === 'commentsPreview' ? field : withBadRecords(field)))
}

function oneRecord(record: unknown, place: number): unknown {
  if (typeof record !== 'object' || record === null || !('id' in record)) return record
  if (place % 3 === 2) {
    return changed({ ...record, ...('type' in record ? { type: 'podcast' } : {}) }, (_name, field) =>
      Array.isArray(field) ? null : field,
    )
  }
  if (place % 3 === 0) return record
  return [{ ...record, id: undefined }, null, { ...record, id: 0 }][Math.floor(place / 3) % 3]
}

/** Returns the value with `change` applied to every field; `place` is the record's index in its list. */
function changed(
  value: unknown,
  change: (name: string, field: unknown, place: number) => unknown,
  place = 0,
): unknown {
  if (Array.isArray(value)) return value.map((element, index) => changed(element, change, index))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => {
      const own = change(name, field, place)
      return [name, own === field ? changed(field, change, place) : own]
    }),
  )
}

export const version = '2.3'

export const described = (summary: string) => ({ tags: [tags.content], summary })
export const badParameter = { 400: errorSchema.describe('A parameter is missing or wrong.') }

const fixedPage = 10

const shapes: Partial<Record<ContentVariant, (value: unknown) => unknown>> = {
  'odd-types': (value) => withOddTypes(value),
  'textual-dates': withTextualDates,
  'bad-records': withBadRecords,
  'fixed-pages': (value) => (Array.isArray(value) ? value.slice(0, fixedPage) : value),
}

export function answerText({ variant }: ContentService, value: unknown): string {
  // Above 2^53, as JSON numbers: only tweets and their users have such ids.
  const hasTweets = Array.isArray(value) && value.some((one: object) => 'retweet_count' in one)
  if (variant === 'large-ids' && hasTweets) return stringify(withLargeIds(value)) ?? ''
  return JSON.stringify(shapes[variant]?.(value) ?? value)
}

export function sendContentError(reply: FastifyReply, code: number, message: string): FastifyReply {
  return sendJson(reply, code, { error: { code, message } })
}
