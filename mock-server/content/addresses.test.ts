import { afterAll, beforeAll, expect, it } from 'vitest'
import { TestContent } from './content.testing'

let content: TestContent
beforeAll(async () => {
  content = await TestContent.start()
})
afterAll(() => content.server.close())

it('answers every address of the mock that occurs in an answer, pictures as image/png', async () => {
  const found = new Set<string>()
  const paths = [
    '/2.3/account/info',
    '/2.3/account/info?userId=10',
    '/2.3/club?count=50&sortMode=recent',
    '/2.3/club/item?entryId=130',
    '/2.3/club/item?entryId=131',
    '/2.3/search?q=%23vpn',
    '/2.3/tweets',
    '/2.3/news',
    '/2.3/news/lists',
  ]
  for (const path of paths) {
    const text = await (await content.fetch(path)).text()
    const parts = text.split(content.server.origin).slice(1)
    for (const part of parts) found.add(/^[^"\\]*/.exec(part)?.[0] ?? '')
  }
  expect(found.size).toBeGreaterThan(200)
  for (const path of found) {
    const response = await content.fetch(path)
    await response.arrayBuffer()
    const expected = path.startsWith('/content-images/') ? 'image/png' : 'text/html; charset=utf-8'
    expect([path, response.status, response.headers.get('content-type')]).toEqual([path, 200, expected])
  }
})

it('shows the title of an entry on its page', async () => {
  const [entry] = await content.entries('/2.3/club?count=1')
  const page = await (await fetch(entry?.url ?? '')).text()
  expect(page).toContain(`<h1>${entry?.title ?? ''}</h1>`)
})

it.each([
  '/content-pages/articles/1-nope',
  '/content-pages/users/99',
  '/content-pages/',
  '/content-images/cover-0.png',
  '/content-images/..%2fx',
  `/content-images/${'x'.repeat(5000)}`,
])('answers 404 with the error object to an address that it never gave out (%#)', async (path) => {
  expect((await content.refusal(path))[0]).toBe(404)
})
