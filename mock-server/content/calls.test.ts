import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  entrySchema,
  newsCategorySchema,
  newsItemSchema,
  revealedSchema,
  tweetSchema,
  userSchema,
  wholeEntrySchema,
} from './answer-schemas'
import { TestContent } from './content.testing'

let content: TestContent
beforeAll(async () => {
  content = await TestContent.start()
})
afterAll(() => content.server.close())

const isAddress = (text: string) => /^https?:\/\//.test(text)

describe('account/info', () => {
  it('returns the requested user, or the current user without an id', async () => {
    const current = await content.get('/2.3/account/info', userSchema)
    expect(current).toMatchObject({ id: 1, name: 'Tester' })
    expect(await content.get('/2.3/account/info?userId=1', userSchema)).toEqual(current)
    const other = await content.get('/2.3/account/info?userId=2', userSchema)
    expect(other.name).not.toBe(current.name)
    expect(isAddress(other.profile_image_url)).toBe(true)
  })

  it('refuses an unknown user', async () => {
    expect(await content.refusal('/2.3/account/info?userId=999')).toEqual([404, 'User not found.'])
  })
})

describe('account/posts', () => {
  it('returns only entries of the requested author, newest first, or of the current user without an id', async () => {
    const own = await content.entries('/2.3/account/posts')
    expect(new Set(own.map(({ author }) => author.id))).toEqual(new Set([1]))
    const others = await content.entries('/2.3/account/posts?userId=7')
    expect(new Set(others.map(({ author }) => author.id))).toEqual(new Set([7]))
    expect(others.map(({ date }) => date)).toEqual(others.map(({ date }) => date).sort((a, b) => b - a))
  })

  it('refuses an unknown author', async () => {
    expect(await content.refusal('/2.3/account/posts?userId=999')).toEqual([404, 'User not found.'])
  })
})

describe('club', () => {
  it('has entries of every type, by several authors, with and without cover and link', async () => {
    const all = [
      ...(await content.entries('/2.3/club?sortMode=recent&count=50')),
      ...(await content.entries('/2.3/club?sortMode=recent&count=50&offset=50')),
      ...(await content.entries('/2.3/club?sortMode=recent&count=50&offset=100')),
    ]
    expect(all.length).toBeGreaterThanOrEqual(120)
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
    expect(new Set(all.map(({ title }) => title)).size).toBe(all.length)
    expect(new Set(all.map(({ type }) => type))).toEqual(new Set([1, 2, 3, 4]))
    expect(new Set(all.map(({ author }) => author.id)).size).toBeGreaterThanOrEqual(8)
    expect(new Set(all.map(({ cover }) => cover === null))).toEqual(new Set([true, false]))
    expect(new Set(all.map(({ externalLink }) => externalLink === null))).toEqual(new Set([true, false]))
    for (const script of [/\p{Script=Cyrillic}/u, /\p{Script=Arabic}/u]) {
      expect(all.some(({ title }) => script.test(title))).toBe(true)
    }
  })

  it.each([1, 2, 3, 4])('filters by type %d, and returns all types for 0', async (type) => {
    const entries = await content.entries(`/2.3/club?type=${type}`)
    expect(entries.length).toBeGreaterThan(10)
    expect(new Set(entries.map((entry) => entry.type))).toEqual(new Set([type]))
    expect(await content.ids('/2.3/club?type=0')).toEqual(await content.ids('/2.3/club'))
  })

  it('gives the same time in date and dateRFC', async () => {
    for (const { date, dateRFC } of await content.entries('/2.3/club')) {
      expect(Date.parse(dateRFC)).toBe(date * 1000)
    }
  })
})

describe('club/item', () => {
  it('returns the listed entry with its text as a JSON string, which has every kind of block', async () => {
    const [listed] = await content.entries('/2.3/club?sortMode=recent&offset=2&count=1')
    const { entryJSON, ...rest } = await content.get(`/2.3/club/item?entryId=130`, wholeEntrySchema)
    expect(rest).toEqual(listed)
    const document = z.object({
      data: z.array(z.object({ type: z.string(), data: z.record(z.string(), z.unknown()) })),
    })
    const kinds = document.parse(JSON.parse(entryJSON)).data.map(({ type }) => type)
    expect(new Set(kinds)).toEqual(
      new Set([
        'text',
        'heading_styled',
        'image_extended',
        'gallery',
        'video_extended',
        'quote_styled',
        'tweet',
        'link_embed',
        'rawhtml',
      ]),
    )
  })

  it('refuses an unknown entry', async () => {
    expect(await content.refusal('/2.3/club/item?entryId=99999')).toEqual([404, 'Entry not found.'])
  })
})

describe('tweets and news', () => {
  it('returns different tweets for each list, some with pictures', async () => {
    const lists = await Promise.all(
      [1, 2, 3].map((listId) => content.get(`/2.3/tweets?listId=${listId}`, z.array(tweetSchema))),
    )
    const all = lists.flat()
    expect(all.length).toBeGreaterThanOrEqual(120)
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
    for (const { has_media, media } of all) expect(media.length > 0).toBe(has_media)
    expect(await content.json('/2.3/tweets')).toEqual(lists[0])
  })

  it('returns the news of a category, or of all without one', async () => {
    const categories = await content.get('/2.3/news/lists', z.array(newsCategorySchema))
    expect(categories.length).toBe(6)
    const all = await content.get('/2.3/news', z.array(newsItemSchema))
    expect(all.length).toBe(50)
    for (const { id, sources = [] } of categories) {
      const news = await content.get(`/2.3/news?listId=${id}`, z.array(newsItemSchema))
      expect(news.length).toBeGreaterThan(10)
      expect(sources.map((source) => source.id)).toEqual(
        expect.arrayContaining(news.map(({ source }) => source.id)),
      )
    }
    expect(await content.refusal('/2.3/news?listId=99')).toEqual([404, 'News category not found.'])
  })

  it('returns categories with their newest news and, unless showSources is 0, their sources', async () => {
    const all = await content.get('/2.3/news/lists', z.array(newsCategorySchema))
    expect(await content.json('/2.3/news/lists?listId=0')).toEqual(all)
    expect(await content.json('/2.3/news/lists?showSources=1')).toEqual(all)
    expect(all.every(({ news, sources }) => news.length === 10 && (sources ?? []).length > 0)).toBe(true)
    const [second] = await content.get('/2.3/news/lists?listId=2&showSources=0', z.array(newsCategorySchema))
    expect(second).toMatchObject({ id: 2, name: all[1]?.name, news: all[1]?.news })
    expect(second).not.toHaveProperty('sources')
    expect(await content.refusal('/2.3/news/lists?listId=99')).toEqual([404, 'News category not found.'])
  })
})

describe('content/reveal', () => {
  const reveal = (url: string) => `/2.3/content/reveal?url=${encodeURIComponent(url)}`

  it('finds the entry for an address, with others of the same type', async () => {
    const [entry] = await content.entries('/2.3/club?type=4&count=1')
    const found = await content.get(reveal(entry?.url ?? ''), revealedSchema)
    expect(found.id).toBe(entry?.id)
    expect(entrySchema.parse(found.data)).toEqual(entry)
    expect(found.sectionRelated).toHaveLength(5)
    expect(found.sectionRelated.every(({ id, type }) => type === 4 && id !== entry?.id)).toBe(true)
  })

  it('ignores fragment, trailing slash and tracking parameters', async () => {
    const [entry] = await content.entries('/2.3/club?count=1')
    const url = entry?.url ?? ''
    for (const same of [
      `${url}#comments`,
      `${url}/`,
      `${url}?utm_source=mail&UTM_medium=x`,
      `${url}/?#top`,
    ]) {
      expect(await content.get(reveal(same), revealedSchema), same).toMatchObject({ id: entry?.id })
    }
    for (const other of [`${url}?page=2`, `${url}x`, 'https://www.example.org/', `${url}?utm_id=1&page=2`]) {
      expect(await content.refusal(reveal(other)), other).toEqual([404, 'Article not found.'])
    }
  })
})
