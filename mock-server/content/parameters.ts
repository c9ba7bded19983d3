import { z } from 'zod'
import { wholeNumber, wholeNumberOr } from '../http/parameters'

export const anyId = (what: string) => wholeNumber(1, Number.MAX_SAFE_INTEGER).describe(what)
export const count = (unlessGiven: number) =>
  wholeNumberOr(unlessGiven, 1, 50).describe(`The maximum number of records; default ${unlessGiven}.`)
export const offset = wholeNumberOr(0, 0, Number.MAX_SAFE_INTEGER).describe(
  'The number of records to skip; default 0.',
)

export function oneOf<const T extends readonly string[]>(values: T) {
  return z.enum(values, { error: `must be one of ${values.join(', ')}` })
}

const givenOnce = (most: number) =>
  z.string({ error: 'must be given exactly once' }).max(most, `must have at most ${most} characters`)

/** A text that is not empty. */
export const words = (most: number) => givenOnce(most).regex(/\S/, 'must not be empty')

export const httpAddress = givenOnce(2000)
  .refine(
    (text) => /^https?:\/\/[^\s]+$/i.test(text) && URL.canParse(text),
    'must be an absolute http or https address',
  )
  .meta({ format: 'uri' })

export const sortModes = ['mainpage', 'recent', 'week', 'unadmitted', 'editorial'] as const
export type SortMode = (typeof sortModes)[number]
export const tweetIntervals = ['3hours', 'fresh', 'week', 'month'] as const
export type TweetInterval = (typeof tweetIntervals)[number]
export const newsIntervals = ['fresh', 'popular'] as const
export type NewsInterval = (typeof newsIntervals)[number]
