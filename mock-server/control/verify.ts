import { z } from 'zod'
import { Refusal } from '../http/refusal'
import { call } from './control-calls'
import { journalEntrySchema } from './journal'
import { differencesOf, fits, matchSchema, type RequestMatch } from './request-match'
import type { World } from './setting'

const count = z.int().min(0).max(1e6)
const maxNearest = 3

const nearest = z
  .array(z.object({ request: journalEntrySchema, differences: z.array(z.string()) }))
  .describe(
    'The requests that came nearest, with what is different, nearest first; if there are too many, the newest of those that match',
  )

/** Returns the requests that miss the fewest conditions, or with `matching` those that miss none, newest first. */
function nearestTo(
  match: RequestMatch,
  { journal, vpn }: World,
  most: number,
  matching: boolean,
): z.infer<typeof nearest> {
  return journal.records
    .map((record) => ({ record, differences: differencesOf(match, record.matched(vpn.tokens)) }))
    .filter(({ differences }) => (differences.length === 0) === matching)
    .reverse()
    .sort((one, other) => one.differences.length - other.differences.length)
    .slice(0, Math.min(most, maxNearest))
    .map(({ record, differences }) => ({ request: record.entry(), differences }))
}

function inWords(least: number, most: number): string {
  if (least === most) return String(least)
  if (most === Infinity) return `at least ${least}`
  return least === 0 ? `at most ${most}` : `${least} to ${most}`
}

export const verifyCalls = {
  'POST /verify': call({
    summary: 'Checks how many requests of the journal match',
    body: z.strictObject({
      match: matchSchema.default({}).describe('As of a fault'),
      times: z
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
        .optional()
        .describe('The expected number; at least one if omitted'),
      withinMs: z
        .int()
        .min(0)
        .max(600_000)
        .default(0)
        .describe('Waits this long for the requests, or, if none are expected, for one too many'),
    }),
    answer: z.object({ matched: z.int() }).describe('As many as expected.'),
    refusals: {
      422: z
        .object({ error: z.string(), matched: z.int(), nearest })
        .describe('More or fewer than expected.'),
    },
    run: async ({ body: { match, times = { atLeast: 1 }, withinMs }, world }) => {
      const { journal, vpn } = world
      const { atLeast = 0, atMost = Infinity } =
        typeof times === 'number' ? { atLeast: times, atMost: times } : times
      const matched = () => journal.records.filter((record) => fits(match, record.matched(vpn.tokens))).length
      // "None within a second" is known after the second.
      await journal.until(() => (atLeast > 0 ? matched() >= atLeast : matched() > atMost), withinMs)
      const found = matched()
      if (found <= atMost && atMost !== Infinity && journal.hasDropped) {
        const message = 'Older requests are no longer in the journal. DELETE /_mock/requests before the test.'
        throw new Refusal(422, message, { matched: found, nearest: [] })
      }
      if (found >= atLeast && found <= atMost) return { matched: found }
      const expected = inWords(atLeast, atMost)
      throw new Refusal(422, `Matching requests: expected ${expected}, found ${found}.`, {
        matched: found,
        nearest: nearestTo(match, world, Math.max(found - atMost, 0) || maxNearest, found > atMost),
      })
    },
  }),
}
