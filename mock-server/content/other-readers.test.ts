import { afterAll, beforeAll, expect, it } from 'vitest'
import { TestContent } from './content.testing'

let content: TestContent
beforeAll(async () => {
  content = await TestContent.start()
})
afterAll(() => content.server.close())

interface Block {
  type: string
  data: { files?: { url: string; bigUrl: string }[] }
}

it('has the names of fields that other readers use, with the same values', async () => {
  const entries = await content.entries('/2.3/club?count=50&sortMode=recent')
  for (const { author, publicAuthor, commentsCount, commentsPreview, externalLink } of entries) {
    expect(publicAuthor).toEqual(author)
    expect(commentsPreview).toHaveLength(Math.min(commentsCount, 3))
    if (externalLink === null) continue
    const { data, url } = externalLink
    expect([data.url, data.image]).toEqual([url, data.imageUrl])
  }
  expect(entries.some(({ externalLink }) => externalLink !== null)).toBe(true)
})

it('has large pictures in galleries, which can be loaded', async () => {
  const item = (await content.json('/2.3/club/item?entryId=130')) as { entryJSON: string }
  const { data } = JSON.parse(item.entryJSON) as { data: Block[] }
  const files = data.flatMap((block) => (block.type === 'gallery' ? (block.data.files ?? []) : []))
  expect(files).toHaveLength(3)
  for (const { bigUrl } of files) {
    expect((await fetch(bigUrl)).headers.get('content-type')).toBe('image/png')
  }
})
