import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MockServer } from '../../../mock-server/server'
import { startTestMock } from '../../../mock-server/test-authority'
import { createHttpClient } from '../../platform/http/http-client'
import { createContentClient } from './content-client'
import { entryBody } from './entry-body'
import { withImageIds } from './image-reference'
import { shownEntry, shownDetails } from './shown'

const bodyOf = (...data: unknown[]) => entryBody(JSON.stringify({ data }))
const blockOf = (type: unknown, data: unknown) => bodyOf({ type, data }).blocks[0]

describe('block types', () => {
  const picture = { url: 'https://pictures.example.org/1.png', width: 40, height: 30 }
  const image = { imageUrl: 'https://pictures.example.org/1.png', width: 40, height: 30 }
  const said = (text: string) => [{ kind: 'paragraph', children: [{ kind: 'text', text }] }]

  it.each<[string, unknown, object]>([
    ['text', { text: '<p>Hello</p>', format: 'html' }, { kind: 'text', text: said('Hello') }],
    [
      'text',
      { text: '<p>a < b</p>', format: 'text' },
      { kind: 'text', text: [{ kind: 'text', text: '<p>a < b</p>' }] },
    ],
    [
      'heading_styled',
      { text: 'A <b>', 'heading-styles': 'h3', format: 'text' },
      { kind: 'heading', text: 'A <b>', level: 3 },
    ],
    ['heading_styled', { text: '<i>A</i>', format: 'html' }, { kind: 'heading', text: 'A', level: 2 }],
    [
      'image_extended',
      { file: picture, title: 'T', author: 'A', background: false },
      { kind: 'image', image, title: 'T', author: 'A' },
    ],
    [
      'gallery',
      { files: [{ ...picture, title: 'T' }, { url: 'ftp://x' }] },
      { kind: 'gallery', images: [{ image, title: 'T' }] },
    ],
    [
      'video_extended',
      { url: 'https://video.example.org/1', title: 'T', thumbnailUrl: picture.url, durationSeconds: '61' },
      {
        kind: 'video',
        url: 'https://video.example.org/1',
        host: 'video.example.org',
        title: 'T',
        thumbnail: { imageUrl: picture.url },
        durationSeconds: 61,
      },
    ],
    [
      'quote_styled',
      { text: '<p>Q</p>', format: 'html', cite: 'C' },
      { kind: 'quote', text: said('Q'), cite: 'C' },
    ],
    [
      'tweet',
      {
        text: 'T',
        user: { name: 'N', screen_name: 's', profile_image_url: picture.url },
        created_at: 5,
        url: 'https://m.example.org/1',
      },
      {
        kind: 'tweet',
        text: 'T',
        author: 'N',
        screenName: 's',
        picture: { imageUrl: picture.url },
        date: 5,
        url: 'https://m.example.org/1',
      },
    ],
    [
      'link_embed',
      {
        url: 'https://evil.example.org/',
        domain: 'bank.example.org',
        title: 'T',
        description: 'D',
        imageUrl: picture.url,
      },
      {
        kind: 'embed',
        url: 'https://evil.example.org/',
        host: 'evil.example.org',
        title: 'T',
        description: 'D',
        image: { imageUrl: picture.url },
      },
    ],
    ['rawhtml', { raw: '<p>R</p>' }, { kind: 'text', text: said('R') }],
  ])('reads a block of type %s', (type, data, expected) => {
    expect(blockOf(type, data)).toEqual(expected)
  })
})

it.each<[unknown, unknown, string]>([
  ['hologram', { depth: 3 }, 'hologram'],
  ['__proto__', {}, '__proto__'],
  ['constructor', {}, 'constructor'],
  ['toString', {}, 'toString'],
  [7, {}, ''],
  ['text', null, 'text'],
  ['text', { text: '<script>alert(1)</script>' }, 'text'],
  ['image_extended', { file: { url: 'javascript:alert(1)' } }, 'image_extended'],
  ['image_extended', { file: { url: 'http://198.51.100.7/tracker.gif' } }, 'image_extended'],
  ['gallery', { files: null }, 'gallery'],
  ['video_extended', { url: 'javascript:alert(1)' }, 'video_extended'],
  ['link_embed', { url: 'data:text/html,x' }, 'link_embed'],
  ['link_embed', { url: 'https://user:password@example.org' }, 'link_embed'],
  ['x'.repeat(500), {}, `${'x'.repeat(59)}…`],
])('marks a block that it cannot show as unknown: %j %j', (type, data, name) => {
  expect(blockOf(type, data)).toEqual({ kind: 'unknown', type: name })
})

it.each([
  '{"data": [',
  'null',
  '[]',
  '{"data": {"length": -1}}',
  '"text"',
  '1',
  `${'['.repeat(5000)}${']'.repeat(5000)}`,
])('marks an unreadable body as damaged: %.40s', (entryJSON) => {
  expect(entryBody(entryJSON)).toEqual({ blocks: [], state: 'damaged' })
})

it('shows the first 400 blocks of a very long body, and marks it as cut', () => {
  const { blocks, state } = bodyOf(
    ...Array.from({ length: 5000 }, () => ({ type: 'text', data: { text: 'x' } })),
  )
  expect([blocks.length, state]).toEqual([400, 'cut'])
  expect(entryBody('')).toEqual({ blocks: [], state: 'whole' })
})

describe('entries of an independent server', () => {
  let mock: MockServer
  beforeAll(async () => {
    mock = await startTestMock()
  })
  afterAll(() => mock.close())

  it('shows whole entries, with ids instead of picture addresses', async () => {
    const client = createContentClient({ http: createHttpClient(), baseUrl: mock.content })
    const { body, ...entry } = shownDetails(await client.item('120'))
    expect(new Set(body.blocks.map(({ kind }) => kind))).toEqual(
      new Set(['text', 'heading', 'image', 'gallery', 'video', 'quote', 'tweet', 'embed']),
    )
    expect(body.state).toBe('whole')
    expect(entry).toMatchObject({ id: '120', type: 'article', page: { host: new URL(mock.content).host } })

    const named: string[] = []
    const forWindow = withImageIds({ body, entry }, (imageUrl) => `picture ${named.push(imageUrl)}`)
    expect(JSON.stringify(forWindow)).not.toMatch(/content-images|imageUrl/)
    expect(named.length).toBeGreaterThanOrEqual(8)
    expect(forWindow.entry.cover).toMatchObject({
      imageId: expect.stringMatching(/^picture \d+$/) as unknown,
    })
  })

  it('drops forbidden addresses from hostile entries', async () => {
    await fetch(`${mock.control}/scenarios/hostile-entries`, { method: 'POST' })
    const client = createContentClient({ http: createHttpClient(), baseUrl: mock.content })
    const { items: entries } = await client.club({ sortMode: 'recent', count: 14 })
    expect(entries.every(({ id }) => Number(id) > 9000)).toBe(true)
    for (const { id } of entries) {
      const shown = JSON.stringify(shownDetails(await client.item(id)))
      expect(shown).not.toMatch(/"(imageUrl|url)":"(?!https:\/\/|http:\/\/127\.0\.0\.1)/)
      expect(shown).not.toMatch(/"imageUrl":"[^"]*(canary|198\.51\.100\.7)/)
      expect(shown.length).toBeLessThan(300_000)
    }
    expect(JSON.stringify(entries.map((entry) => shownEntry(entry)))).not.toContain('\u202e')
    const journal = (await (await fetch(`${mock.control}/requests`)).json()) as { path: string }[]
    expect(journal.filter(({ path }) => path.includes('canary'))).toEqual([])
  })
})
