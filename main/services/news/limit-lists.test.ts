import { expect, it } from 'vitest'
import { createContentClient } from './content-client'
import { entryBody } from './entry-body'
import { maxRecords } from './limit-lists'

const many = <Item>(item: Item): Item[] => Array.from({ length: 5000 }, () => item)

/** Returns a client of a service that gives this answer. */
function clientFor(answer: unknown) {
  return createContentClient({
    baseUrl: 'https://news.example.org',
    http: {
      send: (url) =>
        Promise.resolve({ url, status: 200, headers: new Headers(), text: JSON.stringify(answer) }),
    },
  })
}

it('reads the beginning of a list that is far longer than a page', async () => {
  const { items, unreadable } = await clientFor(many({ id: 1 })).club({ count: 50 })
  expect([items.length, unreadable]).toEqual([maxRecords, 0])
  expect(maxRecords).toBeGreaterThanOrEqual(50)
})

it('reads the beginning of a list that is written as an object', async () => {
  const { items } = await clientFor(Object.fromEntries(many({ id: 1 }).entries())).tweets()
  expect(items).toHaveLength(maxRecords)
})

it('does not check the records after the beginning', async () => {
  const { items, unreadable } = await clientFor([...many({}).slice(0, 199), { id: 1 }, ...many({})]).news()
  expect([items.length, unreadable]).toEqual([1, 199])
})

it('reads the beginning of lists inside of records', async () => {
  const [tweet] = (await clientFor([{ id: 1, media: many({ type: 'photo' }) }]).tweets()).items
  expect(tweet?.media).toHaveLength(maxRecords)
  const { items, unreadable } = await clientFor([
    { id: 1, news: many({ id: 1 }), sources: many(null) },
  ]).newsLists()
  expect([items[0]?.news.length, unreadable]).toEqual([maxRecords, maxRecords])
  expect((await clientFor({ id: 1, socialAccounts: many({}) }).accountInfo()).socialAccounts).toHaveLength(
    maxRecords,
  )
  const data = { id: 1, title: 'x' }
  const { revealed } = await clientFor({ id: 1, data, sectionRelated: many(data) }).reveal(
    'https://news.example.org/',
  )
  expect(revealed.sectionRelated).toHaveLength(maxRecords)
})

it('keeps an answer that is nested deeply from failing in another way', async () => {
  const text = `[{"id":1,"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}]`
  const client = createContentClient({
    baseUrl: 'https://news.example.org',
    http: { send: (url) => Promise.resolve({ url, status: 200, headers: new Headers(), text }) },
  })
  expect((await client.club()).items).toHaveLength(1)
})

it('finds a picture of a gallery among the first files', () => {
  const picture = { url: 'https://news.example.org/1.png' }
  const gallery = (files: unknown[]) =>
    entryBody(JSON.stringify({ data: [{ type: 'gallery', data: { files } }] })).blocks[0]?.kind
  expect(gallery([...many(null).slice(0, 100), picture])).toBe('gallery')
  expect(gallery([...many(null), picture])).toBe('unknown')
})
