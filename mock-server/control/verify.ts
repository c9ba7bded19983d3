import { z } from 'zod'
import { Refusal } from '../http/refusal'
import { call } from './control-calls'
import { journalEntrySchema, type JournalRecord } from './journal-record'
import {
  differencesOf,
  ExpressionTimeout,
  fits,
  matchSchema,
  mayFit,
  type RequestMatch,
  withinTime,
} from './request-match'
import type { MockState } from '../mock-state'
import { int, optional } from '../schemas'

const count = int(0, 1e6)
const maxNearest = 3

const nearest = z
  .array(z.object({ request: journalEntrySchema, differences: z.array(z.string()) }))
  .describe(
    'The requests that came nearest, with what is different, nearest first; if there are too many, the newest of those that match',
  )

const times = z
  .union(
    [
      count,
      z
        .strictObject({ atLeast: count.optional(), atMost: count.optional() })
        .refine(({ atLeast, atMost }) => (atLeast ?? atMost) !== undefined)
        .refine(({ atLeast = 0, atMost = Infinity }) => atLeast <= atMost),
    ],
    { error: 'must be a number, or {"atLeast"?: n, "atMost"?: n} with at least one of them' },
  )
  .describe('The expected number; at least one if omitted')

const verification = z
  .strictObject({
    match: optional(matchSchema, 'As of a fault'),
    times: times.optional(),
    inOrder: optional(
      z
        .array(z.strictObject({ match: matchSchema }))
        .min(1)
        .max(100),
      'Instead of match and times: requests that came one after the other, with any others between',
    ),
    withinMs: int(0, 600_000)
      .describe('Waits this long for the requests, or, if none are expected, for one too many')
      .optional(),
  })
  .refine(({ match, times, inOrder }) => inOrder === undefined || (match ?? times) === undefined, {
    path: ['inOrder'],
    error: 'replaces match and times',
  })

type Nearest = z.infer<typeof nearest>

/** Returns the requests that miss the fewest conditions, or with `matching` those that miss none, newest first. */
function nearestTo(
  match: RequestMatch,
  records: readonly JournalRecord[],
  { vpn }: MockState,
  { max = maxNearest, matching = false } = {},
): Nearest {
  return records
    .map((record) => ({ record, differences: differencesOf(match, record.matched(vpn.tokens)) }))
    .filter(({ differences }) => (differences.length === 0) === matching)
    .reverse()
    .sort((one, other) => one.differences.length - other.differences.length)
    .slice(0, Math.min(max, maxNearest))
    .map(({ record, differences }) => ({ request: record.entry(), differences }))
}

function inWords(least: number, most: number): string {
  if (least === most) return String(least)
  if (most === Infinity) return `at least ${least}`
  return least === 0 ? `at most ${most}` : `${least} to ${most}`
}

/** The result of a look at the journal: the number of matches, and why they aren't as expected. */
interface Verdict {
  readonly matched: number
  /** True once later requests can't change the verdict. */
  readonly isFinal: boolean
  readonly failure?: string | undefined
  readonly nearest: () => Nearest
}

/** As with requests that the journal has dropped: what couldn't be looked for may be there. */
const beyondJournal =
  ' Others may match beyond the first 64 KiB of their bodies, which the journal does not keep: match something else of them.'

function judgeNumber(match: RequestMatch, expected: z.infer<typeof times>, world: MockState): Verdict {
  const { journal, vpn } = world
  const { atLeast = 0, atMost = Infinity } =
    typeof expected === 'number' ? { atLeast: expected, atMost: expected } : expected
  const requests = journal.records.map((record) => record.matched(vpn.tokens))
  const matched = requests.filter((request) => fits(match, request)).length
  const isTooMany = matched > atMost
  const isDropped = !isTooMany && atMost !== Infinity && journal.hasDropped
  const unsure = requests.filter((request) => mayFit(match, request)).length
  const isMet = matched >= atLeast && !isTooMany && matched + unsure <= atMost
  return {
    matched,
    // "None within a second" is known after the second.
    isFinal: atLeast > 0 ? matched >= atLeast : isTooMany,
    failure: isDropped
      ? 'Older requests are no longer in the journal. DELETE /_mock/requests before the test.'
      : isMet
        ? undefined
        : `Matching requests: expected ${inWords(atLeast, atMost)}, found ${matched}.${unsure === 0 ? '' : beyondJournal}`,
    nearest: () =>
      isDropped
        ? []
        : nearestTo(match, journal.records, world, {
            max: Math.max(matched - atMost, 0) || maxNearest,
            matching: isTooMany,
          }),
  }
}

function judgeOrder(steps: readonly { match: RequestMatch }[], world: MockState): Verdict {
  const { records } = world.journal
  let matched = 0
  let next = 0
  for (const [index, record] of records.entries()) {
    const step = steps[matched]
    if (step === undefined) break
    if (!fits(step.match, record.matched(world.vpn.tokens))) continue
    matched += 1
    next = index + 1
  }
  const missing = steps[matched]
  return {
    matched,
    isFinal: missing === undefined,
    failure:
      missing &&
      `Requests in order: expected ${steps.length}, found ${matched}; number ${matched + 1} is missing.`,
    nearest: () => (missing === undefined ? [] : nearestTo(missing.match, records.slice(next), world)),
  }
}

export const verifyCalls = {
  'POST /verify': call({
    summary: 'Checks how many requests of the journal match, or their order',
    body: verification,
    answer: z.object({ matched: z.int() }).describe('As many as expected; of inOrder, all.'),
    refusals: {
      422: z
        .object({ error: z.string(), matched: z.int(), nearest })
        .describe('More or fewer than expected, or another order; or an expression took too long to tell.'),
    },
    run: async ({ body: { match = {}, times = { atLeast: 1 }, inOrder, withinMs = 0 }, world }) => {
      const judge = () =>
        withinTime(() =>
          inOrder === undefined ? judgeNumber(match, times, world) : judgeOrder(inOrder, world),
        )
      try {
        await world.journal.until(() => judge().isFinal, withinMs)
        const { matched, failure, nearest } = judge()
        if (failure === undefined) return { matched }
        throw new Refusal(422, failure, { matched, nearest: withinTime(nearest) })
      } catch (error) {
        // What couldn't be looked for may be there.
        if (error instanceof ExpressionTimeout)
          throw new Refusal(422, error.message, { matched: 0, nearest: [] })
        throw error
      }
    },
  }),
}
