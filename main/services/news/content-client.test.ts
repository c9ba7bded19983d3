import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { MockServer } from '../../../mock-server/server'
import { startTestMock } from '../../../mock-server/test-authority'
import { createHttpClient } from '../../platform/http/http-client'
import { retryingHttp } from '../../platform/http/retrying-http'
import { startTestServer } from '../../platform/http/test-server.testing'
import { type ContentClient, createContentClient } from './content-client'
import { badRecords, dateForms, documentedFaults, firstDate, largeId } from './records.testing'

const http = retryingHttp(createHttpClient())

let mock: MockServer
let content: ContentClient
beforeAll(async () => {
  mock = await startTestMock({ clock: { now: () => new Date('2026-11-20T12:00:00Z') } })
  content = createContentClient({ http, baseUrl: mock.content })
})
afterAll(() => mock.close())
beforeEach(async () => {
  await control('/reset')
  await requests()
})

async function control(path: string, body: object = {}): Promise<void> {
  const response = await fetch(`${mock.control}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
}
const scenario = (name: string) => control(`/scenarios/${name}`)
const fault = (path: string, strikes: object, times?: number) =>
  control('/faults', { match: { path }, fault: strikes, times })

interface Request {
  readonly method: string
  readonly path: string
  readonly query: unknown
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** Returns the requests since the last call, and clears them. */
async function requests(): Promise<Request[]> {
  const journal = (await (await fetch(`${mock.control}/requests`)).json()) as Request[]
  await fetch(`${mock.control}/requests`, { method: 'DELETE' })
  return journal
}

async function paths(): Promise<string[]> {
  return (await requests()).map(({ method, path }) => `${method} ${path}`)
}

/** Starts a service that answers every request with this body. */
async function service(
  body: unknown,
  {
    status = 200,
    headers = {},
  }: { readonly status?: number; readonly headers?: Record<string, string> } = {},
): Promise<ContentClient> {
  const { origin } = await startTestServer((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  return createContentClient({ http, baseUrl: origin })
}

describe('the documented calls, against an independent server', () => {
  it("sends the given parameters under the document's names, and nothing else", async () => {
    const address = `${mock.content}/content-pages/articles/1`
    await content.accountInfo()
    await content.accountInfo({ userId: '2' })
    await content.accountPosts({ userId: '2', count: 1, offset: 1 })
    await content.club({ count: 2, offset: 3, type: 4, sortMode: 'recent' })
    await content.item('132')
    await content.search({ q: '#vpn &=', count: 1, offset: 0, type: 1 })
    await content.tweets({ count: 1, offset: 2, listId: 3, interval: 'month' })
    await content.news({ count: 1, listId: '2', interval: 'fresh' })
    await content.newsLists({ listId: '0', showSources: 0 })
    await content.reveal(address).catch(() => undefined)
    await content.reportMisprint({ text: 'teh', url: address })
    const sent = await requests()
    expect(sent.map(({ method, path, query }) => `${method} ${path} ${JSON.stringify(query)}`)).toEqual([
      'GET /2.3/account/info {}',
      'GET /2.3/account/info {"userId":"2"}',
      'GET /2.3/account/posts {"userId":"2","count":"1","offset":"1"}',
      'GET /2.3/club {"count":"2","offset":"3","type":"4","sortMode":"recent"}',
      'GET /2.3/club/item {"entryId":"132"}',
      'GET /2.3/search {"q":"#vpn &=","count":"1","offset":"0","type":"1"}',
      'GET /2.3/tweets {"count":"1","offset":"2","listId":"3","interval":"month"}',
      'GET /2.3/news {"count":"1","listId":"2","interval":"fresh"}',
      'GET /2.3/news/lists {"listId":"0","showSources":"0"}',
      `GET /2.3/content/reveal ${JSON.stringify({ url: address })}`,
      'POST /2.3/misprints/new {}',
    ])
    expect(sent.slice(0, -1).every(({ body }) => body === null)).toBe(true)
    expect(sent.at(-1)?.headers['content-type']).toMatch(/^application\/x-www-form-urlencoded/)
    expect(sent.at(-1)?.body).toBe(`text=teh&url=${encodeURIComponent(address)}`)
  })

  it('reads users, entries, tweets, news and categories', async () => {
    expect(await content.accountInfo()).toMatchObject({ id: '1', name: 'Tester', isClubMember: true })
    const { items: posts } = await content.accountPosts({ userId: '4', count: 50 })
    expect(posts.every(({ author }) => author?.id === '4')).toBe(true)
    const { items: videos } = await content.club({ type: 3, count: 5 })
    expect(videos.map(({ type }) => type)).toEqual([3, 3, 3, 3, 3])
    const { items: found } = await content.search({ q: '#vpn' })
    expect(found.length).toBeGreaterThan(0)
    expect(found.every(({ intro }) => intro.includes('#vpn'))).toBe(true)
    const whole = await content.item('120')
    expect(JSON.parse(whole.entryJSON)).toHaveProperty('data')
    expect((await content.tweets()).items.map(({ user }) => typeof user?.screenName)).toContain('string')
    expect((await content.news({ count: 3 })).items.every(({ source }) => source?.name !== undefined)).toBe(
      true,
    )
    const [category] = (await content.newsLists({ listId: '2' })).items
    expect(category).toMatchObject({ id: '2', name: 'Security' })
    expect(category?.sources.length).toBeGreaterThan(0)
    const [without] = (await content.newsLists({ listId: '2', showSources: 0 })).items
    expect(without?.sources).toEqual([])
    const { revealed } = await content.reveal(`${whole.url ?? ''}?utm_source=x#part`)
    expect(revealed.data).toEqual(whole)
    expect(revealed.sectionRelated.length).toBeGreaterThan(0)
  })

  it('accepts a service address that ends in the version', async () => {
    const client = createContentClient({ http, baseUrl: `${mock.content}/2.3` })
    expect(await client.club({ count: 2 })).toEqual(await content.club({ count: 2 }))
  })

  it('reports a misprint with its text unchanged', async () => {
    const report = { text: 'teh “café” & <b>', url: `${mock.content}/content-pages/articles/1?a=b&c` }
    await content.reportMisprint(report)
    const reports = (await (await fetch(`${mock.control}/misprints`)).json()) as object[]
    expect(reports).toMatchObject([report])
  })

  it('loses no entry of a list that grows while it is read page by page', async () => {
    const before = await everyEntry()
    await scenario('content-entries-arriving')
    const seen = await everyEntry()
    expect(seen.length).toBeGreaterThan(new Set(seen).size)
    expect(before.filter((id) => !seen.includes(id))).toEqual([])
  })

  async function everyEntry(): Promise<string[]> {
    const ids: string[] = []
    for (;;) {
      const { items: page } = await content.club({ sortMode: 'recent', count: 50, offset: ids.length })
      ids.push(...page.map(({ id }) => id))
      if (page.length < 50) return ids
    }
  }
})

it.each<[string, () => Promise<unknown>, string]>([
  ['user 0', () => content.accountInfo({ userId: '0' }), 'userId'],
  ['half a user', () => content.accountPosts({ userId: '1.5' }), 'userId'],
  ['none', () => content.club({ count: 0 }), 'count'],
  ['51', () => content.club({ count: 51 }), 'count'],
  ['a negative offset', () => content.club({ offset: -1 }), 'offset'],
  ['type 5', () => content.club({ type: 5 as 4 }), 'type'],
  ['another order', () => content.club({ sortMode: 'best' as 'week' }), 'sortMode'],
  ['an entry that is a word', () => content.item('x1'), 'entryId'],
  ['a search for nothing', () => content.search({ q: ' \t' }), 'q'],
  ['a very long search', () => content.search({ q: 'x'.repeat(501) }), 'q'],
  ['a search in another type', () => content.search({ q: 'x', type: 2 as 1 }), 'type'],
  ['list 4', () => content.tweets({ listId: 4 as 3 }), 'listId'],
  ['another interval', () => content.tweets({ interval: 'year' as 'week' }), 'interval'],
  ['category 0 of news', () => content.news({ listId: '0' }), 'listId'],
  ['an interval of tweets', () => content.news({ interval: 'week' as 'fresh' }), 'interval'],
  ['category -1', () => content.newsLists({ listId: '-1' }), 'listId'],
  ['sources 2', () => content.newsLists({ showSources: 2 as 1 }), 'showSources'],
  ['a script to reveal', () => content.reveal('javascript:alert(1)'), 'url'],
  ['a word to reveal', () => content.reveal('news'), 'url'],
  ['an empty misprint', () => content.reportMisprint({ text: ' ', url: 'https://example.org' }), 'text'],
  ['a misprint without a page', () => content.reportMisprint({ text: 'x', url: '' }), 'url'],
])('sends no request with a value that the document does not allow: %s', async (_what, call, parameter) => {
  await expect(call()).rejects.toMatchObject({ code: 'content/invalid-request', details: { parameter } })
  expect(await paths()).toEqual([])
})

describe('scenarios of real servers', () => {
  it('returns empty lists where there is no news', async () => {
    await scenario('no-news')
    const lists = [
      content.club(),
      content.accountPosts(),
      content.search({ q: 'vpn' }),
      content.tweets(),
      content.news(),
    ]
    expect((await Promise.all(lists)).every(({ items }) => items.length === 0)).toBe(true)
  })

  it('reads fields of odd types as the usual values', async () => {
    const usual = [
      (await content.club()).items,
      await content.accountInfo(),
      await content.item('120'),
    ] as const
    const [usualTweets, usualNews] = [(await content.tweets()).items, (await content.news()).items]
    await scenario('content-odd-types')
    const { items: odd } = await content.club()
    // Every third has fields that are null, and every third some that are left out.
    expect(odd.filter((_, place) => place % 3 === 0)).toEqual(usual[0].filter((_, place) => place % 3 === 0))
    expect(odd.map(({ id, date, intro }) => [id, date, intro])).toEqual(
      usual[0].map(({ id, date, intro }) => [id, date, intro]),
    )
    expect(await content.accountInfo()).toEqual(usual[1])
    expect(await content.item('120')).toEqual(usual[2])
    expect((await content.tweets()).items.map(({ id, text }) => [id, text])).toEqual(
      usualTweets.map(({ id, text }) => [id, text]),
    )
    expect((await content.news()).items.map(({ id, url }) => [id, url])).toEqual(
      usualNews.map(({ id, url }) => [id, url]),
    )
    expect((await content.newsLists()).items).toHaveLength(6)
    await content.reportMisprint({ text: 'teh', url: 'https://example.org' })
  })

  it('reports an entry that no longer exists as not found', async () => {
    await scenario('entry-vanished')
    await expect(content.item('120')).rejects.toMatchObject({
      code: 'content/not-found',
      details: { status: 404, error: 'Entry not found.' },
    })
  })

  it('reports an unavailable service with its retry time, without retrying', async () => {
    await scenario('content-down')
    await expect(content.club()).rejects.toMatchObject({
      code: 'content/unavailable',
      details: { status: 503, retryAfterSeconds: 30, error: 'The service is temporarily unavailable.' },
    })
    expect(await paths()).toEqual(['GET /2.3/club'])
  })

  it('reports a rate limit with its retry time', async () => {
    await scenario('content-rate-limited')
    const refusals = [content.club(), content.news(), content.tweets()]
    for (const refused of refusals) {
      await expect(refused).rejects.toMatchObject({
        code: 'content/unavailable',
        details: { status: 429, retryAfterSeconds: 2 },
      })
    }
    expect((await content.club()).items).toHaveLength(30)
  })

  it('retries once after a gateway page, then reports the service as unavailable', async () => {
    await scenario('content-gateway-page')
    await expect(content.club()).rejects.toMatchObject({
      code: 'content/unavailable',
      details: { status: 502 },
    })
    expect(await paths()).toEqual(['GET /2.3/club', 'GET /2.3/club'])
  })

  it('recovers from one gateway page or one connection reset', async () => {
    await fault('/2.3/club', { status: 502, body: '<html>' }, 1)
    await fault('/2.3/tweets', { reset: true }, 1)
    expect((await content.club()).items).toHaveLength(30)
    expect((await content.tweets()).items.length).toBeGreaterThan(0)
  })

  it('never sends a misprint report twice', async () => {
    await fault('/2.3/misprints/new', { reset: true }, 1)
    await expect(content.reportMisprint({ text: 'teh', url: 'https://example.org' })).rejects.toMatchObject({
      code: 'http/unreachable',
    })
    expect(await paths()).toEqual(['POST /2.3/misprints/new'])
  })

  it('reports an answer that was cut off', async () => {
    await scenario('content-cut-off')
    await expect(content.club()).rejects.toMatchObject({
      code: 'http/unreachable',
      details: { reason: 'incomplete-answer' },
    })
  })

  it('stops waiting for a slow service when the caller cancels', async () => {
    await fault('/2.3/club', { delayMs: 60_000 })
    const given = new AbortController()
    const answer = content.club({}, given.signal)
    given.abort()
    await expect(answer).rejects.toMatchObject({ code: 'http/cancelled' })
  })
})

describe('answers in other forms that the document allows', () => {
  const answerWith = async (writing: Parameters<typeof documentedFaults>[0]) => {
    for (const one of documentedFaults(writing)) await control('/faults', one)
  }

  it('keeps every digit of ids above 2^53', async () => {
    await answerWith({ id: largeId })
    const { items } = await content.tweets({ count: 2 })
    expect(items).toMatchObject([{ id: largeId(1), user: { id: largeId(7) } }, { id: largeId(2) }])
    const [entry] = (await content.club({ count: 1 })).items
    await content.item(entry?.id ?? '')
    await content.accountInfo({ userId: entry?.author?.id })
    const sent = (await requests()).map(({ path, query }) => [path, query])
    expect(sent.slice(2)).toEqual([
      ['/2.3/club/item', { entryId: largeId(1) }],
      ['/2.3/account/info', { userId: largeId(7) }],
    ])
  })

  it.each(Object.entries(dateForms))('reads dates written as %s', async (_form, date) => {
    await answerWith({ date })
    expect((await content.tweets({ count: 1 })).items[0]).toMatchObject({ createdAt: firstDate })
    expect((await content.club({ count: 1 })).items[0]).toMatchObject({ date: firstDate })
    expect((await content.news({ count: 1 })).items[0]).toMatchObject({ date: firstDate })
    expect(await content.accountInfo()).toMatchObject({ date: firstDate })
  })

  it('skips and counts records that cannot be read', async () => {
    await answerWith({ first: badRecords })
    const lists = await Promise.all([
      content.accountPosts(),
      content.club(),
      content.search({ q: 'vpn' }),
      content.tweets(),
      content.news(),
    ])
    expect(lists.map(({ items, unreadable }) => [items.length, unreadable])).toEqual(lists.map(() => [2, 3]))
    expect(await content.newsLists()).toMatchObject({ items: [{ id: '0' }, { id: '1' }], unreadable: 6 })
    const { revealed, unreadable } = await content.reveal('https://example.org')
    expect([revealed.sectionRelated.length, unreadable]).toEqual([2, 3])
  })

  it('reads pages of a fixed size', async () => {
    const { items: all } = await content.club({ count: 50 })
    await scenario('content-fixed-pages')
    expect((await content.club({ count: 50 })).items).toEqual(all.slice(0, 10))
    expect((await content.club({ offset: 10 })).items).toEqual(all.slice(10, 20))
  })
})

describe('invalid answers and refusals', () => {
  it.each<[string, unknown, string | undefined]>([
    ['a page', '<html>Sign in</html>', undefined],
    ['nothing', '', undefined],
    ['half of it', '[{"id": 1', undefined],
    ['an object for a list', { entries: [] }, ''],
    ['a list of numbers', [1], '[0]'],
    ['an entry without id', [{ title: 'x' }], '[0].id'],
    ['an id that is nothing', [{ id: 0 }], '[0].id'],
    ['a title that is an object', [{ id: 2, title: { text: 'x' } }], '[0].title'],
    ['truth that is a word', [{ id: 1, isFavorited: 'maybe' }], '[0].isFavorited'],
    ['an author that is a list', [{ id: 1, author: [1] }], '[0].author'],
  ])('rejects %s', async (_what, body, where) => {
    const client = await service(body)
    await expect(client.club()).rejects.toMatchObject({
      code: 'content/invalid-response',
      details: { status: 200, where },
    })
  })

  it('does not follow a redirect', async () => {
    const client = await service('', { status: 302, headers: { location: 'https://example.org/' } })
    await expect(client.club()).rejects.toMatchObject({
      code: 'content/invalid-response',
      details: { status: 302 },
    })
  })

  it('accepts unknown and missing fields', async () => {
    const client = await service([{ id: 7, mood: { colour: 'blue' } }])
    expect(await client.club()).toMatchObject({
      items: [{ id: '7', title: '', intro: '', isFavorited: false }],
      unreadable: 0,
    })
  })

  it.each<[string, number, unknown, object]>([
    [
      '401',
      401,
      { error: { code: 401, message: 'Who\nare you\u001b[31m' } },
      { code: 'content/refused', details: { status: 401, error: 'Who are you [31m' } },
    ],
    ['400 in words of its own', 400, 'no', { code: 'content/refused', details: { status: 400 } }],
    [
      'an error with status 200',
      200,
      { error: { code: '404', message: 'Method not found.' } },
      { code: 'content/not-found', details: { status: 404 } },
    ],
    ['500', 500, '', { code: 'content/unavailable', details: { status: 500 } }],
  ])('reports a refusal with the message of the server: %s', async (_what, status, body, expected) => {
    const client = await service(body, { status })
    await expect(client.club()).rejects.toMatchObject(expected)
  })

  it.each([
    ['an empty answer', ''],
    ['any object', { result: true }],
  ])('accepts %s as the confirmation of a misprint report', async (_what, body) => {
    const client = await service(body)
    await expect(client.reportMisprint({ text: 'x', url: 'https://example.org' })).resolves.toBeUndefined()
  })
})
