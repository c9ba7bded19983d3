import fc from 'fast-check'
import { expect, it } from 'vitest'
import { startTestMock } from '../../../mock-server/test-authority'
import { CausewayError } from '../../errors'
import { createHttpClient } from '../../platform/http/http-client'
import { startTestServer } from '../../platform/http/test-server.testing'
import { createContentClient } from './content-client'
import {
  shownCategory,
  shownEntry,
  shownNewsItem,
  shownRevealed,
  shownTweet,
  shownUser,
  shownDetails,
} from './shown'

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

/** Replaces the value at the place that the steps lead to. */
function changed(value: Json, steps: readonly number[], other: Json): Json {
  const [step, ...rest] = steps
  if (step === undefined || typeof value !== 'object' || value === null) return other
  const entries = Object.entries(value)
  if (entries.length === 0) return other
  const chosen = step % entries.length
  const next = entries.map(([name, field], at): [string, Json] => [
    name,
    at === chosen ? changed(field, rest, other) : field,
  ])
  return Array.isArray(value) ? next.map(([, field]) => field) : Object.fromEntries(next)
}

it('shows any answer of a service, or throws a content error', async () => {
  const mock = await startTestMock({ clock: { now: () => new Date('2026-11-20T12:00:00Z') } })
  const methods = [
    'account/info',
    'club?count=2',
    'club/item?entryId=120',
    'tweets?count=2',
    'news?count=2',
    'news/lists',
  ]
  const url = `${mock.content}/content-pages/articles/120-why-network-namespaces-can-be-harder-than-expected`
  methods.push(`content/reveal?url=${encodeURIComponent(url)}`)
  const good = await Promise.all(
    methods.map(async (method) => (await (await fetch(`${mock.content}/2.3/${method}`)).json()) as Json),
  )
  await mock.close()

  let answer: Json = null
  const { origin } = await startTestServer((_request, response) => response.end(JSON.stringify(answer)))
  const client = createContentClient({ http: createHttpClient(), baseUrl: origin })
  const calls = [
    async () => shownUser(await client.accountInfo()),
    async () => (await client.club()).items.map((entry) => shownEntry(entry)),
    async () => shownDetails(await client.item('1')),
    async () => (await client.tweets()).items.map(shownTweet),
    async () => (await client.news()).items.map(shownNewsItem),
    async () => (await client.newsLists()).items.map(shownCategory),
    async () => shownRevealed((await client.reveal('https://example.org')).revealed),
  ]

  const outcomes = { shown: 0, refused: 0 }
  const other = fc.oneof(
    fc.constantFrom<Json>(
      null,
      [],
      {},
      '',
      0,
      -1,
      1e300,
      'NaN',
      '1',
      '-1.5',
      true,
      'true',
      'javascript:alert(1)',
      '<b>',
    ),
    fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>,
  )
  await fc.assert(
    fc.asyncProperty(
      fc.nat(calls.length - 1),
      fc.array(fc.tuple(fc.array(fc.nat(20), { maxLength: 5 }), other), { maxLength: 4 }),
      async (which, changes) => {
        answer = changes.reduce<Json>(
          (value, [steps, put]) => changed(value, steps, put),
          good[which] ?? null,
        )
        try {
          JSON.stringify(await calls[which]?.())
          outcomes.shown += 1
        } catch (error) {
          expect(error).toBeInstanceOf(CausewayError)
          expect((error as CausewayError).code).toMatch(/^content\//)
          outcomes.refused += 1
        }
      },
    ),
    { numRuns: 300, seed: 6 },
  )
  expect(outcomes.shown).toBeGreaterThan(50)
  expect(outcomes.refused).toBeGreaterThan(50)
})
