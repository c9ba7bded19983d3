import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { TestContent, testNow } from './content.testing'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'causeway-mock-content-'))
})
afterEach(() => {
  rmSync(directory, { recursive: true })
})

const paths = [
  '/2.3/account/info?userId=3',
  '/2.3/club?sortMode=recent',
  '/2.3/club/item?entryId=130',
  '/2.3/tweets',
  '/2.3/news',
  '/2.3/news/lists',
]

/** Returns all answers of the mock with its origin removed. */
async function everythingOf(content: TestContent): Promise<string[]> {
  const texts = await Promise.all(paths.map(async (path) => (await content.fetch(path)).text()))
  return texts.map((text) => text.replaceAll(content.server.origin, ''))
}
async function report(content: TestContent, text: string): Promise<unknown> {
  const body = new URLSearchParams({ text, url: 'http://example.org/' })
  return (await content.fetch('/2.3/misprints/new', { method: 'POST', body })).json()
}

it('keeps content and reports in a data directory across a restart, even as time passes', async () => {
  const first = await TestContent.start({ dataDir: directory })
  const shown = await everythingOf(first)
  await report(first, 'before')
  await first.scenario('no-news')
  await first.server.close()

  const later = new Date(testNow.getTime() + 5 * 86_400_000)
  const second = await TestContent.start({ dataDir: directory, clock: { now: () => later } })
  expect(await everythingOf(second)).toEqual(shown)
  await report(second, 'after')
  expect(await second.json('/_mock/misprints')).toMatchObject([{ text: 'before' }, { text: 'after' }])
  await second.server.close()
})

it('gives the same answers for the same seed and calls, and others for another seed', async () => {
  const mocks = [await TestContent.start(), await TestContent.start(), await TestContent.start({ seed: 2 })]
  const [one, same, other] = await Promise.all(
    mocks.map(async (content) => [
      ...(await everythingOf(content)),
      JSON.stringify(await report(content, 'x')),
    ]),
  )
  await Promise.all(mocks.map(({ server }) => server.close()))
  expect(same).toEqual(one)
  expect(other?.every((text, index) => text !== one?.[index])).toBe(true)
})
