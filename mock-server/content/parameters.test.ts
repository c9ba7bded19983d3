import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorSchema } from './answer-schemas'
import { TestContent } from './content.testing'

let content: TestContent
beforeAll(async () => {
  content = await TestContent.start()
})
afterAll(() => content.server.close())

const countMessage = 'count: must be a whole number from 1 to 50'
const lengthOf = async (path: string) => ((await content.json(path)) as unknown[]).length

describe.each([
  ['/2.3/account/posts?userId=7', undefined],
  ['/2.3/club?sortMode=recent', 30],
  ['/2.3/search?q=the', 30],
  ['/2.3/news?interval=fresh', 50],
  ['/2.3/tweets?listId=2', 40],
])('count of %s', (path, unlessGiven) => {
  it('accepts 1 to 50', async () => {
    expect(await lengthOf(`${path}&count=1`)).toBe(1)
    expect(await lengthOf(`${path}&count=50`)).toBeLessThanOrEqual(50)
    for (const wrong of [
      '0',
      '51',
      '-1',
      '1.5',
      '1e1',
      '0x1',
      '',
      'ten',
      '%00',
      '1&count=2',
      '9'.repeat(10_000),
    ]) {
      expect(await content.refusal(`${path}&count=${wrong}`), wrong.slice(0, 9)).toEqual([400, countMessage])
    }
  })

  it('uses the documented default', async () => {
    const given = await lengthOf(path)
    if (unlessGiven !== undefined) expect(given).toBe(unlessGiven)
    const standard = /news|tweets/.test(path) ? 50 : 30
    expect(await content.json(path)).toEqual(await content.json(`${path}&count=${standard}`))
  })
})

describe.each([
  '/2.3/account/posts?userId=7',
  '/2.3/club?sortMode=recent',
  '/2.3/club?sortMode=week',
  '/2.3/search?q=%23vpn',
  '/2.3/tweets?interval=month',
])('offset of %s', (path) => {
  it('splits the list into pages without gaps or repeats', async () => {
    const whole = (await content.json(`${path}&count=50`)) as unknown[]
    const pages: unknown[] = []
    for (let offset = 0; offset < 50; offset += 7) {
      pages.push(...((await content.json(`${path}&count=7&offset=${offset}`)) as unknown[]))
    }
    expect(pages.slice(0, 50)).toEqual(whole)
    expect(await content.json(`${path}&count=50&offset=0`)).toEqual(whole)
  })

  it('returns an empty list past the end, and refuses a negative offset', async () => {
    expect(await content.json(`${path}&offset=9007199254740991`)).toEqual([])
    for (const wrong of ['-1', '9007199254740992', '', '1.0', 'NaN', '1&offset=1']) {
      const [status, message] = await content.refusal(`${path}&offset=${wrong}`)
      expect([status, message]).toEqual([
        400,
        expect.stringMatching(/^offset: must be a whole number from 0/),
      ])
    }
  })
})

describe('numeric parameters', () => {
  it.each([
    ['/2.3/account/info?userId=', 'userId', ['0', '-1', 'x', '', '1&userId=1', '%F0%9F%8D%8E']],
    ['/2.3/account/posts?userId=', 'userId', ['0', '01x', '']],
    ['/2.3/club?type=', 'type', ['-1', '5', '', 'news', '1&type=2']],
    ['/2.3/club/item?entryId=', 'entryId', ['0', '', '1&entryId=2', '99999999999999999999']],
    ['/2.3/search?q=a&type=', 'type', ['0', '2', '']],
    ['/2.3/tweets?listId=', 'listId', ['0', '4', '']],
    ['/2.3/news?listId=', 'listId', ['0', 'x', '']],
    ['/2.3/news/lists?listId=', 'listId', ['-1', '', '0&listId=1']],
    ['/2.3/news/lists?showSources=', 'showSources', ['2', '-1', 'true', '']],
  ])('refuses %s outside its range', async (path, name, wrongs) => {
    for (const wrong of wrongs) {
      const [status, message] = await content.refusal(`${path}${wrong}`)
      expect([status, message.split(':')[0]], wrong).toEqual([400, name])
    }
  })
})

describe('enumerated parameters', () => {
  it.each([
    ['/2.3/club?sortMode=', 'mainpage, recent, week, unadmitted, editorial'],
    ['/2.3/tweets?interval=', '3hours, fresh, week, month'],
    ['/2.3/news?interval=', 'fresh, popular'],
  ])('accepts the documented values of %s and no other', async (path, words) => {
    const [first = '', second = ''] = words.split(', ')
    for (const word of words.split(', ')) {
      expect((await content.fetch(`${path}${word}`)).status, word).toBe(200)
    }
    for (const wrong of ['', 'other', first.toUpperCase(), `${first},${second}`, '__proto__', '\0']) {
      const [status, message] = await content.refusal(`${path}${encodeURIComponent(wrong)}`)
      expect([status, message], wrong).toEqual([400, expect.stringContaining(`must be one of ${words}`)])
    }
    const name = path.replace(/^.*\?|=$/g, '')
    expect((await content.refusal(`${path}${first}&${name}=${second}`))[0]).toBe(400)
  })
})

describe('required parameters', () => {
  it.each([
    ['/2.3/club/item', 'entryId'],
    ['/2.3/search', 'q'],
    ['/2.3/content/reveal', 'url'],
  ])('refuses %s without %s', async (path, name) => {
    const [status, message] = await content.refusal(path)
    expect([status, message.split(':')[0]]).toEqual([400, name])
  })

  it.each(['', '%20', '%20%0A', 'a&q=b', 'x'.repeat(501)])(
    'refuses an empty, overlong or repeated q (%#)',
    async (q) => {
      const [status, message] = await content.refusal(`/2.3/search?q=${q}`)
      expect([status, message.split(':')[0]]).toEqual([400, 'q'])
    },
  )

  it.each([
    '',
    'article',
    '/club',
    'ftp://example.org/',
    'javascript:alert(1)',
    'http:example',
    'http://',
    'http://a b/',
    `http://example.org/${'x'.repeat(2000)}`,
    'http://a/&url=http://b/',
  ])('refuses a url that is relative, not http or too long (%#)', async (url) => {
    const [status, message] = await content.refusal(
      `/2.3/content/reveal?url=${url.includes('&') ? url : encodeURIComponent(url)}`,
    )
    expect([status, message.split(':')[0]]).toEqual([400, 'url'])
  })

  it('ignores unknown parameters', async () => {
    expect(await content.ids('/2.3/club?page=2&__proto__=1&constructor=x')).toEqual(
      await content.ids('/2.3/club'),
    )
  })
})

describe('unknown addresses', () => {
  it.each([
    '/2.3/club/nope',
    '/2.3/nope',
    '/2.3',
    '/2.3/',
    '/2.3/club/',
    '/2.3/Club',
    `/2.3/${'x'.repeat(5000)}`,
  ])('answers 404 "Method not found" to an unknown method (%#)', async (path) => {
    const [status, message] = await content.refusal(path)
    expect([status, message.length < 200]).toEqual([404, true])
    expect(message).toMatch(/^Method not found: .+/)
  })

  it.each(['/2.2/club', '/2/club', '/3.0.1/account/info', '/2.30/club'])(
    'answers 404 "Version not found" to a version other than 2.3 (%s)',
    async (path) => {
      expect(await content.refusal(path)).toEqual([
        404,
        `Version not found: ${path.split('/')[1] ?? ''}. The current version is 2.3.`,
      ])
    },
  )

  it('answers 405 with the allowed methods to another HTTP method', async () => {
    for (const [path, method, allowed] of [
      ['/2.3/club', 'PUT', 'GET, POST'],
      ['/2.3/content/reveal', 'DELETE', 'GET, POST'],
      ['/2.3/misprints/new', 'GET', 'POST'],
      ['/2.3/misprints/new', 'PUT', 'POST'],
    ] as const) {
      const response = await content.fetch(path, { method })
      expect([response.status, response.headers.get('allow')]).toEqual([405, allowed])
      expect(errorSchema.parse(await response.json()).error.code).toBe(405)
    }
  })
})
