import { beforeEach, expect, it } from 'vitest'
import { MockControl } from '../app/connecting.testing'
import { badRecords, documentedFaults, largeId } from '../services/news/records.testing'
import { startCommandAndMock } from './causeway.testing'

const { command, mock } = await startCommandAndMock({
  clock: { now: () => new Date('2026-11-20T12:00:00Z') },
})
const control = new MockControl(mock.control)
const person = await command.person(mock.instance)
beforeEach(() => control.post('/reset'))

const text = (pattern: RegExp) => expect.stringMatching(pattern) as unknown

interface Entry {
  readonly id: number
  readonly type: number
  readonly url: string
  readonly intro: string
}

/** Runs commands at the same time, because most of their time is start-up, and returns their JSON. */
function all(...commands: readonly (readonly string[])[]): Promise<unknown[]> {
  return Promise.all(commands.map((args) => person.json('content', ...args)))
}

it('prints the documented fields of each answer, without a login', async () => {
  const [user, posts, club, tweets, news, categories] = (await all(
    ['account-info', '--user', '2'],
    ['account-posts', '--user', '4', '--count', '2', '--offset', '1'],
    ['club', '--type', '3', '--sort-mode', 'recent', '--count', '3'],
    ['tweets', '--list', '2', '--interval', 'month', '--count', '1'],
    ['news', '--list', '2', '--interval', 'fresh', '--count', '2'],
    ['categories', '--list', '2', '--no-sources'],
  )) as [object, Entry[], Entry[], object[], object[], object[]]
  expect(user).toMatchObject({
    id: 2,
    name: text(/./),
    profileImageUrl: text(/^http/),
    rating: { karmaCount: expect.any(Number) as unknown },
  })
  expect(posts).toHaveLength(2)
  expect(club.map(({ type }) => type)).toEqual([3, 3, 3])
  expect(tweets).toMatchObject([{ text: text(/./), user: { screenName: text(/./) } }])
  expect(news).toMatchObject([{ source: { name: text(/./) } }, { mobileUrl: text(/^http/) }])
  expect(categories).toMatchObject([{ id: 2, name: 'Security', sources: [] }])
})

it('shows an entry as plain text, by id and by URL', async () => {
  const entry = (await person.json('content', 'item', '120')) as Entry
  expect(entry).toMatchObject({ id: 120, entryJSON: text(/^\{"data"/), dateRFC: text(/2026/) })
  const [item, revealed] = await Promise.all([
    person.run(['content', 'item', '120']),
    person.run(['content', 'reveal', `${entry.url}/?utm_source=letter`]),
  ])
  expect(item.stdout).not.toMatch(/<\/?[a-z]+>|&amp;|undefined/)
  for (const part of [
    /^Why network namespaces/,
    /^## /m,
    /^\[picture: Picture 3 of 3\]\nhttp/m,
    /^\[video: /m,
    /^> /m,
    /^Test · Result$/m,
  ]) {
    expect(item.stdout).toMatch(part)
  }
  expect(revealed.stdout.startsWith(item.stdout)).toBe(true)
  expect(revealed.stdout).toContain('Similar entries:')
})

it('searches for hashtags, and explains how to quote them', async () => {
  const [quoted, named, both, nothing, help] = await Promise.all([
    person.json('content', 'search', '#vpn'),
    person.json('content', 'search', '--hashtag', 'vpn'),
    person.json('content', 'search', 'tunnel', '--hashtag', 'vpn', '#privacy'),
    person.failure(['content', 'search']),
    person.run(['content', 'search', '--help']),
  ])
  expect((quoted as Entry[]).length).toBeGreaterThan(0)
  expect(named).toEqual(quoted)
  expect((both as Entry[]).every(({ intro }) => intro.includes('#vpn') && intro.includes('#privacy'))).toBe(
    true,
  )
  expect(nothing).toMatchObject({ status: 2, code: 'usage/invalid-argument', message: text(/quotes/) })
  expect(help.stdout).toContain('--hashtag vpn')
})

it('reports a misprint', async () => {
  const report = { url: `${mock.content}/content-pages/articles/1`, text: 'teh “café” --url' }
  expect(await person.json('content', 'report-misprint', '--url', report.url, '--text', report.text)).toEqual(
    {
      ...report,
      reported: true,
    },
  )
  expect(await (await fetch(`${mock.control}/misprints`)).json()).toMatchObject([report])
})

it('refuses undocumented values without a request', async () => {
  await control.requests()
  const failures = await Promise.all(
    [
      ['club', '--count', '51'],
      ['club', '--sort-mode', 'best'],
      ['news', '--count', '-1'],
      ['report-misprint', '--url', 'https://example.org', '--text', ' '],
    ].map((args) => person.failure(['content', ...args])),
  )
  expect(failures.map(({ status }) => status)).toEqual(failures.map(() => 2))
  expect((await control.requests()).filter((request) => request.includes('/2.3/'))).toEqual([])
})

it('distinguishes a missing entry, a failing service and an unreachable one', async () => {
  const status = async (scenario: string) => {
    await control.post(`/scenarios/${scenario}`)
    const { status: exit, code } = await person.failure(['content', 'item', '120'])
    return [exit, code]
  }
  expect(await status('entry-vanished')).toEqual([5, 'content/not-found'])
  expect(await status('content-down')).toEqual([5, 'content/unavailable'])
  expect(await status('content-cut-off')).toEqual([4, 'http/unreachable'])
})

it('prints no control characters of a hostile server', async () => {
  await control.post('/scenarios/hostile-entries')
  const shown = await Promise.all(
    [['club', '--count', '14'], ...[9013, 9014].map((id) => ['item', String(id)])].map((args) =>
      person.run(['content', ...args]),
    ),
  )
  for (const { status, stdout } of shown) {
    expect(status).toBe(0)
    expect(stdout).not.toMatch(/[\u202a-\u202e]|[^\P{Cc}\n]/u)
  }
  expect(shown[1]?.stdout).toContain("[This version of Causeway can't show part of this entry (hologram).]")
  expect((await control.requests()).filter((request) => request.includes('canary'))).toEqual([])
})

it('reports an instance without news', async () => {
  await control.fault('/info.json', {
    body: {
      api: {
        'http://eduvpn.org/api#2': {
          api_base_uri: `${mock.instance}api`,
          authorization_endpoint: `${mock.instance}a`,
          token_endpoint: `${mock.instance}t`,
        },
      },
    },
  })
  expect(await person.failure(['content', 'club'])).toMatchObject({ status: 2, code: 'content/not-offered' })
})

interface Sent {
  readonly method: string
  readonly path: string
  readonly query: object
  readonly body: string | null
}
/** Returns the requests to the content API since the last call. */
async function sent(): Promise<[call: string, query: object, body: string | null][]> {
  const journal = (await (await fetch(`${mock.control}/requests`)).json()) as Sent[]
  await fetch(`${mock.control}/requests`, { method: 'DELETE' })
  return journal
    .filter(({ path }) => path.startsWith('/2.3/'))
    .map(({ method, path, query, body }) => [`${method} ${path.slice('/2.3/'.length)}`, query, body])
}

it('sends each option under the name of the document', async () => {
  for (const one of documentedFaults()) await control.post('/faults', one)
  const big = '1050118621198921728'
  const url = 'https://news.example.org/1'
  const calls: readonly [args: string[], call: string, query: object, body?: string][] = [
    [['account-info'], 'GET account/info', {}],
    [['account-info', '--user', big], 'GET account/info', { userId: big }],
    [
      ['account-posts', '--user', '7', '--count', '2', '--offset', '1'],
      'GET account/posts',
      { userId: '7', count: '2', offset: '1' },
    ],
    [
      ['club', '--count', '2', '--offset', '3', '--type', '4', '--sort-mode', 'recent'],
      'GET club',
      { count: '2', offset: '3', type: '4', sortMode: 'recent' },
    ],
    [['item', big], 'GET club/item', { entryId: big }],
    [['search', '#vpn', '--count', '1', '--type', '1'], 'GET search', { q: '#vpn', count: '1', type: '1' }],
    [
      ['tweets', '--count', '1', '--offset', '2', '--list', '3', '--interval', 'month'],
      'GET tweets',
      { count: '1', offset: '2', listId: '3', interval: 'month' },
    ],
    [
      ['news', '--count', '1', '--list', big, '--interval', 'fresh'],
      'GET news',
      { count: '1', listId: big, interval: 'fresh' },
    ],
    [['categories', '--list', '0', '--no-sources'], 'GET news/lists', { listId: '0', showSources: '0' }],
    [['reveal', url], 'GET content/reveal', { url }],
    [
      ['report-misprint', '--url', url, '--text', 'teh'],
      'POST misprints/new',
      {},
      `text=teh&url=${encodeURIComponent(url)}`,
    ],
  ]
  await sent()
  for (const [args, call, query, body = null] of calls) {
    expect(await person.run(['content', ...args]), args.join(' ')).toMatchObject({ status: 0 })
    expect(await sent(), args.join(' ')).toEqual([[call, query, body]])
  }
})

it('reads options from the environment', async () => {
  for (const one of documentedFaults()) await control.post('/faults', one)
  const env = {
    CAUSEWAY_COUNT: '2',
    CAUSEWAY_OFFSET: '3',
    CAUSEWAY_LIST: '2',
    CAUSEWAY_INTERVAL: 'week',
    CAUSEWAY_USER: '7',
    CAUSEWAY_TYPE: '1',
    CAUSEWAY_SORT_MODE: 'recent',
  }
  await sent()
  for (const args of [['tweets'], ['account-posts'], ['club'], ['tweets', '--count', '1']])
    expect(await person.run(['content', ...args], { env })).toMatchObject({ status: 0 })
  expect(await sent()).toEqual([
    ['GET tweets', { count: '2', offset: '3', listId: '2', interval: 'week' }, null],
    ['GET account/posts', { userId: '7', count: '2', offset: '3' }, null],
    ['GET club', { count: '2', offset: '3', type: '1', sortMode: 'recent' }, null],
    ['GET tweets', { count: '1', offset: '3', listId: '2', interval: 'week' }, null],
  ])
})

it('prints ids above 2^53 exactly, as strings, and smaller ones as numbers', async () => {
  const smaller = (await person.json('content', 'tweets', '--count', '1')) as object[]
  expect(smaller).toMatchObject([
    { id: expect.any(Number) as number, user: { id: expect.any(Number) as number } },
  ])
  for (const one of documentedFaults({ id: largeId })) await control.post('/faults', one)
  expect(await person.json('content', 'tweets')).toMatchObject([
    { id: largeId(1), user: { id: largeId(7) } },
    { id: largeId(2) },
  ])
  expect((await person.run(['content', 'tweets'])).stdout).toContain(`${largeId(1)}  @ann`)
})

it('leaves out and counts records that cannot be read', async () => {
  for (const one of documentedFaults({ first: badRecords })) await control.post('/faults', one)
  const warning = /^Warning: Items that couldn't be read and aren't shown: 3\./m
  for (const list of [['account-posts'], ['club'], ['search', 'vpn'], ['tweets'], ['news']]) {
    const [plain, json] = await Promise.all([
      person.run(['content', ...list]),
      person.run(['content', ...list, '--json']),
    ])
    expect(plain, list[0]).toMatchObject({ status: 0, stderr: text(warning) })
    expect(JSON.parse(json.stdout), list[0]).toHaveLength(2)
    expect(warningIn(json.stderr), list[0]).toMatchObject({
      code: 'content/invalid-response',
      details: { unreadable: 3 },
    })
  }
  const [categories, revealed] = await Promise.all([
    person.run(['content', 'categories', '--json']),
    person.run(['content', 'reveal', 'https://news.example.org/1', '--json']),
  ])
  expect(JSON.parse(categories.stdout)).toMatchObject([
    { id: 0, news: [{ id: 1 }, { id: 2 }], sources: [] },
    { id: 1, news: [{ id: 1 }, { id: 2 }], sources: [] },
  ])
  expect(warningIn(categories.stderr)).toMatchObject({ details: { unreadable: 6 } })
  expect(JSON.parse(revealed.stdout)).toMatchObject({ sectionRelated: [{ id: 1 }, { id: 2 }] })
  expect(warningIn(revealed.stderr)).toMatchObject({ details: { unreadable: 3 } })
})

/** Returns the warning among the lines of JSON. */
function warningIn(stderr: string): unknown {
  const lines = stderr.split('\n').filter((line) => line !== '')
  const output = lines.map((line) => JSON.parse(line) as { readonly warning?: unknown })
  return output.find(({ warning }) => warning !== undefined)?.warning
}

it('fails if no record can be read, and shows records of an unknown type', async () => {
  const answer = (body: string) =>
    control.fault('/2.3/club', { body, headers: { 'content-type': 'application/json' } })
  await answer(`[${badRecords.join(',')}]`)
  expect(await person.failure(['content', 'club'])).toMatchObject({
    status: 6,
    code: 'content/invalid-response',
  })
  await answer('[null,{"id":1,"title":"Podcast","type":"podcast"},{"id":2,"type":77}]')
  expect(await person.json('content', 'club')).toMatchObject([{ id: 1 }, { id: 2, type: 77 }])
  expect((await person.run(['content', 'club'])).stderr).toMatch(/aren't shown: 1\./)
})

it.each<[string, Readonly<Record<string, string>>, RegExp, number | undefined]>([
  ['90 seconds', { 'retry-after': '90' }, /Try again in 90 seconds\.$/, 90],
  ['nothing', {}, /Try again later\.$/, undefined],
])('reports when to retry after a 429 with %s', async (_what, headers, words, seconds) => {
  await control.fault('/2.3/club', { status: 429, headers })
  const failure = await person.failure(['content', 'club'])
  expect(failure).toMatchObject({ status: 5, code: 'content/unavailable', message: text(words) })
  expect(failure.details?.retryAfterSeconds).toBe(seconds)
})
