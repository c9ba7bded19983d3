import { z } from 'zod'
import { wholeNumber } from '../http/parameters'

const anyId = (what: string) => wholeNumber(1, Number.MAX_SAFE_INTEGER).describe(what)
const count = (unlessGiven: number) =>
  wholeNumber(1, 50).default(unlessGiven).describe(`The maximum number of records; default ${unlessGiven}.`)
const offset = wholeNumber(0, Number.MAX_SAFE_INTEGER)
  .default(0)
  .describe('The number of records to skip; default 0.')

function oneOf<const T extends [string, ...string[]]>(values: T) {
  return z.enum(values, { error: `must be one of ${values.join(', ')}` })
}

const httpAddress = z
  .string({ error: 'must be given exactly once' })
  .max(2000, 'must have at most 2000 characters')
  .refine(
    (text) => /^https?:\/\/[^\s]+$/i.test(text) && URL.canParse(text),
    'must be an absolute http or https address',
  )
  .meta({ format: 'uri' })

/** Parameters of each call (content-and-organization-apis.md, section 4, interface A). */
export const accountInfoParameters = z.object({
  userId: anyId('The user; the current one if omitted.').optional(),
})

export const accountPostsParameters = z.object({
  userId: anyId('The author; the current user if omitted.').optional(),
  count: count(30),
  offset,
})

const sortModes = ['mainpage', 'recent', 'week', 'unadmitted', 'editorial'] as const
export type SortMode = (typeof sortModes)[number]

export const clubParameters = z.object({
  count: count(30),
  offset,
  type: wholeNumber(0, 4).default(0).describe('0 all, 1 news, 2 off-topic, 3 video, 4 articles; default 0.'),
  sortMode: oneOf([...sortModes])
    .default('mainpage')
    .describe(
      'mainpage: what the editors admitted to the main page, newest first. recent: everything, newest first. ' +
        'week: the last 7 days, most liked first. unadmitted: what is not on the main page, newest first. ' +
        'editorial: what the editors wrote themselves, newest first.',
    ),
})

export const clubItemParameters = z.object({ entryId: anyId('The entry; required.') })

export const searchParameters = z.object({
  q: z
    .string({ error: 'must be given exactly once' })
    .max(500, 'must have at most 500 characters')
    .regex(/\S/, 'must not be empty')
    .describe('Words that must all occur in title or intro; #word asks for a hashtag. Required.'),
  count: count(30),
  offset,
  type: wholeNumber(1, 1).default(1).describe('1, the club: no other value exists.'),
})

const tweetIntervals = ['3hours', 'fresh', 'week', 'month'] as const
export type TweetInterval = (typeof tweetIntervals)[number]

export const tweetsParameters = z.object({
  count: count(50),
  offset,
  listId: wholeNumber(1, 3).default(1).describe('Default 1.'),
  interval: oneOf([...tweetIntervals])
    .default('fresh')
    .describe(
      'fresh: newest first. 3hours, week, month: those of the last 3 hours, 7 days, 30 days, ' +
        'most shared and liked first.',
    ),
})

const newsIntervals = ['fresh', 'popular'] as const
export type NewsInterval = (typeof newsIntervals)[number]

export const newsParameters = z.object({
  count: count(50),
  listId: anyId('The category; all if omitted.').optional(),
  interval: oneOf([...newsIntervals])
    .default('popular')
    .describe('fresh: newest first. popular: best rated first.'),
})

export const newsListsParameters = z.object({
  listId: wholeNumber(0, Number.MAX_SAFE_INTEGER).optional().describe('The category; all if 0 or omitted.'),
  showSources: wholeNumber(0, 1).default(1).describe('0 omits sources; default 1.'),
})

export const revealParameters = z.object({ url: httpAddress.describe('Address of the article; required.') })

export const misprintParameters = z.object(
  {
    text: z
      .string({ error: 'must be given exactly once' })
      .max(5000, 'must have at most 5000 characters')
      .regex(/\S/, 'must not be empty')
      .describe('The misprint; required.'),
    url: httpAddress.describe('Address of the article; required.'),
  },
  { error: 'must be a form or a JSON object' },
)
