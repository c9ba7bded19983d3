import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { newsItemSchema, tweetSchema, type Entry, type Tweet } from './answer-schemas'
import { textOf } from './selection'
import { TestContent, testNow } from './content.testing'

let content: TestContent
let everything: Entry[]
beforeAll(async () => {
  content = await TestContent.start()
  everything = await allOf('recent')
})
afterAll(() => content.server.close())

async function allOf(sortMode: string): Promise<Entry[]> {
  const pages = await Promise.all(
    [0, 50, 100].map((offset) => content.entries(`/2.3/club?sortMode=${sortMode}&count=50&offset=${offset}`)),
  )
  return pages.flat()
}
const day = 86_400
const nowSeconds = testNow.getTime() / 1000
const falling = (numbers: number[]) => numbers.toSorted((a, b) => b - a)

describe('sort modes of the club', () => {
  it('recent returns all entries of the last 60 days, newest first', () => {
    const dates = everything.map(({ date }) => date)
    expect(dates).toEqual(falling(dates))
    expect(dates[0]).toBeLessThanOrEqual(nowSeconds)
    expect(dates.at(-1)).toBeGreaterThanOrEqual(nowSeconds - 60 * day)
  })

  it('mainpage, the default, and unadmitted split the entries between them', async () => {
    const [admitted, rest] = [await allOf('mainpage'), await allOf('unadmitted')]
    expect(admitted.length).toBeGreaterThan(40)
    expect(rest.length).toBeGreaterThan(20)
    expect([...admitted, ...rest].map(({ id }) => id).toSorted()).toEqual(
      everything.map(({ id }) => id).toSorted(),
    )
    expect(await content.ids('/2.3/club')).toEqual(admitted.slice(0, 30).map(({ id }) => id))
  })

  it('week returns the last seven days, most liked first', async () => {
    const week = await allOf('week')
    expect(week.map(({ id }) => id).toSorted()).toEqual(
      everything
        .filter(({ date }) => date >= nowSeconds - 7 * day)
        .map(({ id }) => id)
        .toSorted(),
    )
    const likes = week.map(({ likes: { summ } }) => summ)
    expect(likes).toEqual(falling(likes))
    expect(week.map(({ date }) => date)).not.toEqual(falling(week.map(({ date }) => date)))
  })

  it('editorial returns only entries of a few authors', async () => {
    const editorial = await allOf('editorial')
    expect(editorial.length).toBeGreaterThan(10)
    expect(new Set(editorial.map(({ author }) => author.id))).toEqual(new Set([7, 10]))
  })

  it('week moves with the clock', async () => {
    await content.control('POST', '/clock', { advanceSeconds: 7 * day })
    expect(await content.json('/2.3/club?sortMode=week')).toEqual([])
    await content.control('POST', '/reset')
  })
})

describe('intervals of tweets', () => {
  const tweets = (interval: string) => content.get(`/2.3/tweets?interval=${interval}`, z.array(tweetSchema))
  const fame = (tweet: Tweet) => tweet.retweet_count + tweet.favorite_count

  it('fresh returns all tweets, newest first', async () => {
    const dates = (await tweets('fresh')).map(({ created_at }) => created_at)
    expect(dates).toHaveLength(40)
    expect(dates).toEqual(falling(dates))
  })

  it.each([
    ['3hours', 3 * 3600],
    ['week', 7 * day],
    ['month', 30 * day],
  ])('%s returns only tweets of that period, most shared and liked first', async (interval, seconds) => {
    const some = await tweets(interval)
    const expected = (await tweets('fresh')).filter(({ created_at }) => created_at >= nowSeconds - seconds)
    expect(some.map(({ id }) => id).toSorted()).toEqual(expected.map(({ id }) => id).toSorted())
    expect(some.map(fame)).toEqual(falling(some.map(fame)))
    expect(some.length).toBeGreaterThan(3)
    expect(some.length).toBeLessThan(40)
  })
})

it('sorts news by time for fresh and by rating for popular, the default', async () => {
  const news = (interval: string) => content.get(`/2.3/news?${interval}`, z.array(newsItemSchema))
  const fresh = (await news('interval=fresh')).map(({ date }) => date)
  expect(fresh).toEqual(falling(fresh))
  const popular = await news('interval=popular')
  const ratings = popular.map(({ rating }) => rating.total)
  expect(ratings).toEqual(falling(ratings))
  expect(await news('')).toEqual(popular)
  expect(popular.map(({ date }) => date)).not.toEqual(fresh)
})

describe('search', () => {
  const found = (q: string) => content.entries(`/2.3/search?q=${encodeURIComponent(q)}&count=50`)
  const textIn = ({ title, intro }: Entry) => `${title} ${textOf(intro)}`.toLowerCase()

  it.each(['tunnel', 'TUNNEL', 'протокол', 'ПРОТОКОЛ', 'الشبكات', 'één weekend'])(
    'finds %s in any case, newest first',
    async (q) => {
      const entries = await found(q)
      const expected = everything.filter((entry) => textIn(entry).includes(q.toLowerCase()))
      expect(expected).not.toEqual([])
      expect(entries).toEqual(expected.slice(0, 50))
    },
  )

  it('requires every word, in any order', async () => {
    const both = await found('tunnel network')
    expect(both).not.toEqual([])
    expect(await found('network   tunnel')).toEqual(both)
    for (const entry of both) expect(textIn(entry)).toMatch(/(?=.*tunnel).*network/s)
    expect(both.length).toBeLessThan((await found('tunnel')).length)
  })

  it('matches a hashtag as a whole and in any case, but not as part of another', async () => {
    const tagged = await found('#vpn')
    expect(tagged.length).toBeGreaterThan(10)
    for (const entry of tagged) expect(textIn(entry)).toMatch(/#vpn(?![\p{L}\p{N}_])/u)
    expect(await found('#VPN')).toEqual(tagged)
    expect(await found('#vp')).toEqual([])
    expect(await found('#приватность')).toHaveLength(1)
    expect((await found('#vpn #privacy')).length).toBeLessThan(tagged.length)
    expect((await found('vpn')).length).toBeGreaterThanOrEqual(tagged.length)
  })

  it('ignores markup, and decodes character references', async () => {
    expect(await found('<b>')).toEqual([])
    expect(await found('&amp;')).toEqual([])
    expect(textOf('<p>A &amp; B</p><p>&lt;c&gt; &amp;lt;</p>')).toBe('A & B <c> &lt;')
  })

  it.each(['(', '[a-', '\\', '%', '__proto__', '\0', '#'])('treats %j as an ordinary word', async (q) => {
    expect(Array.isArray(await found(q))).toBe(true)
  })
})
