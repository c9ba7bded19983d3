import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { wholeEntrySchema } from './answer-schemas'
import { TestContent } from './content.testing'

let content: TestContent
beforeAll(async () => {
  content = await TestContent.start()
})
afterAll(() => content.server.close())
beforeEach(() => content.control('POST', '/reset'))

const club = '/2.3/club?count=50'

it('no-news empties all lists, but nothing else, until another scenario is applied', async () => {
  const before = await content.json(club)
  await content.scenario('no-news')
  for (const path of [
    club,
    '/2.3/account/posts',
    '/2.3/search?q=the',
    '/2.3/tweets',
    '/2.3/news',
    '/2.3/news?listId=1',
  ]) {
    expect(await content.json(path), path).toEqual([])
  }
  expect(await content.json('/2.3/news/lists')).toMatchObject([{ id: 1, news: [] }, {}, {}, {}, {}, {}])
  expect((await content.fetch('/2.3/account/info')).status).toBe(200)
  await content.scenario('content-odd-types')
  await content.scenario('all-well')
  expect(await content.json(club)).toEqual(before)
})

describe('hostile-entries', () => {
  const texts = async () => {
    const entries = await content.entries(club)
    const hostile = entries.filter(({ id }) => id > 9000)
    const whole = await Promise.all(
      hostile.map(({ id }) => content.get(`/2.3/club/item?entryId=${id}`, wholeEntrySchema)),
    )
    return { entries, hostile, whole }
  }

  it('puts hostile entries of every kind before the others', async () => {
    await content.scenario('hostile-entries')
    const { entries, hostile, whole } = await texts()
    expect(hostile.length).toBeGreaterThan(10)
    expect(entries.slice(0, hostile.length)).toEqual(hostile)
    const all = JSON.stringify(whole)
    for (const trick of [
      '<script>',
      'onerror=',
      'javascript:',
      'data:text/html',
      '<svg',
      '<math>',
      '<iframe',
      '<form',
      'http-equiv',
      'position:fixed',
      'http://198.51.100.7/',
      'hologram',
      '\\u0000',
      '\u202e',
    ]) {
      expect(all, trick).toContain(trick)
    }
  })

  it('has an entryJSON that is not JSON, and one that is nested thousands of levels deep', async () => {
    await content.scenario('hostile-entries')
    const bodies = (await texts()).whole.map(({ entryJSON }) => entryJSON)
    const broken = bodies.filter((body) => {
      try {
        JSON.parse(body)
        return false
      } catch {
        return true
      }
    })
    expect(broken).toHaveLength(1)
    expect(bodies.some((body) => body.includes('['.repeat(3000)))).toBe(true)
  })

  it('gives every active element a canary address that shows up in the journal', async () => {
    await content.scenario('hostile-entries')
    const text = JSON.stringify((await texts()).whole)
    const canaries = new Set(text.match(/http:\/\/127\.0\.0\.1:\d+\/[^"'\s)<>\\]*canary[^"'\s)<>\\]*/g))
    expect(canaries.size).toBeGreaterThan(20)
    for (const address of canaries) expect((await fetch(address)).status, address).toBe(200)
    const journal = (await content.json('/_mock/requests')) as { path: string }[]
    expect(journal.filter(({ path }) => path.includes('canary'))).toHaveLength(canaries.size)
  })

  it("stays harmless in the mock's own pages", async () => {
    await content.scenario('hostile-entries')
    for (const { url } of (await texts()).hostile) {
      const page = await fetch(url)
      expect(page.status).toBe(200)
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(await page.text()).not.toMatch(/<(script|img|svg|iframe|math)/i)
    }
  })
})

it('thousand-entries can be paged to the end, and each entry occurs once', async () => {
  await content.scenario('thousand-entries')
  const seen = new Set<number>()
  for (let offset = 0; offset < 1000; offset += 50) {
    for (const id of await content.ids(`/2.3/club?sortMode=recent&count=50&offset=${offset}`)) seen.add(id)
  }
  expect(seen.size).toBe(1000)
  expect(await content.json('/2.3/club?sortMode=recent&offset=1000')).toEqual([])
})

it('content-entries-arriving adds one entry with each listing, so pages overlap', async () => {
  await content.scenario('content-entries-arriving')
  const first = await content.ids('/2.3/club?count=10')
  const second = await content.ids('/2.3/club?count=10&offset=10')
  expect(second[0]).toBe(first[9])
  const [newest] = await content.ids('/2.3/club?count=10')
  expect(newest).toBe((first[0] ?? 0) + 2)
  expect((await content.fetch(`/2.3/club/item?entryId=${newest ?? 0}`)).status).toBe(200)
})

it('content-odd-types keeps the values and changes their types', async () => {
  const before = await content.entries(club)
  await content.scenario('content-odd-types')
  const odd = z
    .array(z.looseObject({ id: z.union([z.string(), z.number()]) }))
    .parse(await content.json(club))
  expect(odd.map(({ id }) => Number(id))).toEqual(before.map(({ id }) => id))
  expect(new Set(odd.map(({ id }) => typeof id))).toEqual(new Set(['string', 'number']))
  expect(odd.some(({ likes }) => likes === null)).toBe(true)
  expect(odd.some((entry) => !('dateRFC' in entry))).toBe(true)
  expect(odd.some(({ externalLink }) => Array.isArray(externalLink))).toBe(true)
  expect(odd.some(({ isFavorited }) => isFavorited === 0 || isFavorited === '0')).toBe(true)
})

it('content-large-ids writes tweet ids as numbers above 2^53', async () => {
  await content.scenario('content-large-ids')
  const text = await (await content.fetch('/2.3/tweets?count=1')).text()
  expect(text).toMatch(/^\[\{"id":10501186211989\d{5},"text"/)
  expect(text).toMatch(/"user":\{"id":10501186211989\d{5},/)
})

it('content-textual-dates writes times in four formats', async () => {
  const [first, second, third, fourth] = await content.entries(club)
  await content.scenario('content-textual-dates')
  const dates = z.array(z.looseObject({ date: z.unknown() })).parse(await content.json(club))
  expect(dates.slice(1, 4).map(({ date }) => date)).toEqual([
    new Date((second?.date ?? 0) * 1000).toISOString(),
    (third?.date ?? 0) * 1000,
    new Date((fourth?.date ?? 0) * 1000).toUTCString(),
  ])
  expect(dates[0]?.date).toMatch(/^[A-Z][a-z]{2} [A-Z][a-z]{2} \d\d \d\d:\d\d:\d\d \+0000 \d{4}$/)
  expect(Date.parse(String(dates[0]?.date))).toBe((first?.date ?? 0) * 1000)
})

it('content-bad-records breaks records in lists, but not single records', async () => {
  const whole = await content.json('/2.3/club/item?entryId=120')
  await content.scenario('content-bad-records')
  const [good, withoutId, strange, , nothing, , , zero] = z
    .array(z.looseObject({}).nullable())
    .parse(await content.json(club))
  expect(good).toHaveProperty('id')
  expect(withoutId).not.toHaveProperty('id')
  expect(strange).toMatchObject({ type: 'podcast' })
  expect(nothing).toBeNull()
  expect(zero).toMatchObject({ id: 0 })
  expect(await content.json('/2.3/club/item?entryId=120')).toEqual(whole)
})

it('content-fixed-pages returns at most ten records, and all of them by offset', async () => {
  const before = await content.ids('/2.3/club?count=25')
  await content.scenario('content-fixed-pages')
  const pages = await Promise.all([0, 10, 20].map((offset) => content.ids(`/2.3/club?offset=${offset}`)))
  expect(pages.flat().slice(0, 25)).toEqual(before)
})

it('content-error answers 500, and content-rate-limited-for-years answers 429', async () => {
  await content.scenario('content-error')
  expect(await content.refusal(club)).toEqual([500, 'Internal error.'])
  await content.scenario('content-rate-limited-for-years')
  expect((await content.fetch(club)).headers.get('retry-after')).toBe('2300894574')
})

it('entry-vanished lists entries that cannot be opened or revealed', async () => {
  await content.scenario('entry-vanished')
  const [entry] = await content.entries(club)
  expect((await content.refusal(`/2.3/club/item?entryId=${entry?.id ?? 0}`))[0]).toBe(404)
  expect((await content.refusal(`/2.3/content/reveal?url=${encodeURIComponent(entry?.url ?? '')}`))[0]).toBe(
    404,
  )
})

it('images-broken breaks pictures in five ways', async () => {
  const picture = async (id: number) => {
    const response = await content.fetch(`/content-images/cover-${id}.png`)
    return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) }
  }
  const whole = await picture(2)
  await content.scenario('images-broken')
  expect((await picture(5)).status).toBe(404)
  expect((await picture(1)).bytes).toHaveLength(0)
  const half = (await picture(2)).bytes
  expect([half.length, whole.bytes.subarray(0, half.length).equals(half)]).toEqual([
    Math.floor(whole.bytes.length / 2),
    true,
  ])
  expect((await picture(3)).bytes.toString()).toContain('Sign in')
  expect((await picture(4)).bytes.readUInt32BE(16)).toBe(60_000)
})

it('content-down answers 503 with the error object and leaves other services alone', async () => {
  await content.scenario('content-down')
  expect(await content.refusal(club)).toEqual([503, 'The service is temporarily unavailable.'])
  expect((await content.fetch('/2.3/misprints/new', { method: 'POST' })).status).toBe(503)
  expect((await content.fetch('/info.json')).status).toBe(200)
})

it('content-rate-limited refuses three calls and says how long to wait', async () => {
  await content.scenario('content-rate-limited')
  const statuses: [number, string | null][] = []
  for (let call = 0; call < 4; call += 1) {
    const response = await content.fetch(club)
    statuses.push([response.status, response.headers.get('retry-after')])
    await response.text()
  }
  expect(statuses).toEqual([
    [429, '2'],
    [429, '2'],
    [429, '2'],
    [200, null],
  ])
})

it('content-gateway-page answers with HTML, and content-cut-off with a truncated body', async () => {
  await content.scenario('content-gateway-page')
  const page = await content.fetch(club)
  expect([page.status, page.headers.get('content-type')]).toEqual([502, 'text/html; charset=utf-8'])
  await content.scenario('content-cut-off')
  await expect(content.json(club)).rejects.toThrow()
})

it('content-slow delays every call by three seconds', async () => {
  await content.scenario('content-slow')
  expect(await content.json('/_mock/faults')).toMatchObject([
    { match: { path: '/2.3/*' }, fault: { delayMs: 3000 } },
  ])
})
