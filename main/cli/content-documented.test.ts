import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  badRecords,
  type DocumentedService,
  type DocumentedServiceOptions,
  largeId,
  startDocumentedService,
} from '../services/news/documented-service.testing'
import { BuiltCommand, type Outcome, type Person } from './causeway.testing'

let command: BuiltCommand
let person: Person

beforeAll(async () => {
  command = await BuiltCommand.make()
  person = await command.person('https://vpn.example.org/')
})
afterAll(() => command.remove())

/** Starts a documented service and sets it for the user's instance. */
async function service(options: DocumentedServiceOptions = {}): Promise<DocumentedService> {
  const documented = await startDocumentedService(options)
  const set = await person.run(['instance', 'set', '--content', documented.origin])
  expect(set).toMatchObject({ status: 0 })
  return documented
}

/** Runs a command and removes the warning about the file store from its errors. */
async function content(...args: string[]): Promise<Outcome> {
  const outcome = await person.run(['content', ...args])
  const lines = outcome.stderr.split('\n').filter((line) => !line.includes('secrets.json'))
  return { ...outcome, stderr: lines.join('\n') }
}
const lists = [['account-posts'], ['club'], ['search', 'vpn'], ['tweets'], ['news']] as const

describe('every content command', () => {
  it('sends a documented request', async () => {
    const { requests } = await service()
    const big = '1050118621198921728'
    const address = 'https://news.example.org/1'
    const calls: readonly [string[], string][] = [
      [['account-info'], 'GET /2.3/account/info'],
      [['account-info', '--user', big], `GET /2.3/account/info?userId=${big}`],
      [
        ['account-posts', '--user', '7', '--count', '2', '--offset', '1'],
        'GET /2.3/account/posts?userId=7&count=2&offset=1',
      ],
      [
        ['club', '--count', '2', '--offset', '3', '--type', '4', '--sort-mode', 'recent'],
        'GET /2.3/club?count=2&offset=3&type=4&sortMode=recent',
      ],
      [['item', big], `GET /2.3/club/item?entryId=${big}`],
      [['search', '#vpn', '--count', '1', '--type', '1'], 'GET /2.3/search?q=%23vpn&count=1&type=1'],
      [
        ['tweets', '--count', '1', '--offset', '2', '--list', '3', '--interval', 'month'],
        'GET /2.3/tweets?count=1&offset=2&listId=3&interval=month',
      ],
      [
        ['news', '--count', '1', '--list', big, '--interval', 'fresh'],
        `GET /2.3/news?count=1&listId=${big}&interval=fresh`,
      ],
      [['categories', '--list', '0', '--no-sources'], 'GET /2.3/news/lists?listId=0&showSources=0'],
      [['reveal', address], `GET /2.3/content/reveal?url=${encodeURIComponent(address)}`],
      [
        ['report-misprint', '--url', address, '--text', 'teh'],
        `POST /2.3/misprints/new text=teh&url=${encodeURIComponent(address)}`,
      ],
    ]
    for (const [args, request] of calls) {
      expect(await content(...args), args.join(' ')).toMatchObject({ status: 0, stderr: '' })
      expect(requests.splice(0), args.join(' ')).toEqual([request])
    }
  })
})

it('prints ids above 2^53 exactly, as strings, and smaller ones as numbers', async () => {
  await service({ id: largeId })
  const [tweets, text] = await Promise.all([
    person.json('content', 'tweets', '--count', '2'),
    content('tweets', '--count', '2'),
  ])
  expect(tweets).toMatchObject([
    { id: '1050118621198921701', user: { id: '1050118621198921707' } },
    { id: '1050118621198921702' },
  ])
  expect(text.stdout).toContain('1050118621198921701  @ann')
  await service()
  expect(await person.json('content', 'tweets', '--count', '1')).toMatchObject([{ id: 1, user: { id: 7 } }])
})

describe('invalid records', () => {
  it('are left out and counted', async () => {
    await service({ first: badRecords })
    for (const list of lists) {
      const [text, json] = await Promise.all([content(...list), content(...list, '--json')])
      expect(text, list[0]).toMatchObject({
        status: 0,
        stderr: expect.stringMatching(
          /^Warning: Items that couldn't be read and aren't shown: 3\./,
        ) as unknown,
      })
      expect(JSON.parse(json.stdout), list[0]).toHaveLength(25)
      expect(JSON.parse(json.stderr), list[0]).toMatchObject({
        warning: { code: 'content/invalid-response', details: { unreadable: 3 } },
      })
    }
  })

  it('are also counted in categories and related articles', async () => {
    await service({ first: badRecords })
    const [categories, revealed] = await Promise.all([
      content('categories', '--json'),
      content('reveal', 'https://news.example.org/1', '--json'),
    ])
    expect(JSON.parse(categories.stdout)).toMatchObject([
      { id: 0, news: [{ id: 1 }], sources: [] },
      { id: 1, news: [{ id: 1 }], sources: [] },
    ])
    expect(JSON.parse(categories.stderr)).toMatchObject({ warning: { details: { unreadable: 6 } } })
    expect(JSON.parse(revealed.stdout)).toMatchObject({ sectionRelated: [{ id: 2 }] })
    expect(JSON.parse(revealed.stderr)).toMatchObject({ warning: { details: { unreadable: 3 } } })
  })

  it('are counted if there is one', async () => {
    await service({ first: ['null'] })
    expect((await content('club')).stderr).toMatch(
      /^Warning: Items that couldn't be read and aren't shown: 1\./,
    )
  })

  it('are an error if there are no valid ones', async () => {
    await service({ first: badRecords })
    expect(await person.failure(['content', 'club', '--count', '3'])).toMatchObject({
      status: 6,
      code: 'content/invalid-response',
    })
  })
})

it('shows records with an unknown type', async () => {
  await service({ first: ['{"id":1,"title":"Podcast","type":"podcast"}', '{"id":2,"type":77}'] })
  expect(await person.json('content', 'club', '--count', '2')).toMatchObject([{ id: 1 }, { id: 2, type: 77 }])
})

it.each<[string, Readonly<Record<string, string>>, RegExp, number | undefined]>([
  ['90 seconds', { 'retry-after': '90' }, /Try again in 90 seconds\.$/, 90],
  ['nothing', {}, /Try again later\.$/, undefined],
])('reports when to retry after a 429 with %s', async (_what, headers, words, seconds) => {
  await service({ failure: { status: 429, headers } })
  const failure = await person.failure(['content', 'club'])
  expect(failure).toMatchObject({
    status: 5,
    code: 'content/unavailable',
    message: expect.stringMatching(words) as unknown,
  })
  expect(failure.details?.retryAfterSeconds).toBe(seconds)
})

it('reads options from the environment', async () => {
  const { requests } = await service()
  const env = {
    CAUSEWAY_COUNT: '2',
    CAUSEWAY_OFFSET: '3',
    CAUSEWAY_LIST: '2',
    CAUSEWAY_INTERVAL: 'week',
    CAUSEWAY_USER: '7',
    CAUSEWAY_TYPE: '1',
    CAUSEWAY_SORT_MODE: 'recent',
  }
  for (const args of [['tweets'], ['account-posts'], ['club'], ['tweets', '--count', '1']]) {
    expect(await person.run(['content', ...args], { env })).toMatchObject({ status: 0 })
  }
  expect(requests).toEqual([
    'GET /2.3/tweets?count=2&offset=3&listId=2&interval=week',
    'GET /2.3/account/posts?userId=7&count=2&offset=3',
    'GET /2.3/club?count=2&offset=3&type=1&sortMode=recent',
    'GET /2.3/tweets?count=1&offset=3&listId=2&interval=week',
  ])
})
