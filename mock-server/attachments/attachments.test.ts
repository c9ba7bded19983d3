import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Attachment } from './attachment'
import { anna, as, link, TestAttachments } from './attachments.testing'

let service: TestAttachments
beforeAll(async () => {
  service = await TestAttachments.start()
})
afterAll(() => service.server.close())
beforeEach(() => service.control('POST', '/reset'))

const file = { type: 'INTERNAL', title: 'A file', extension: 'PDF' }

describe('POST /attachments/', () => {
  it('answers a link with the whole COMPLETED attachment', async () => {
    const body = { ...link, description: 'Of use', videos: ['video-9'], modules: ['module-9'], unknown: 1 }
    const attachment = await service.create(body)
    expect(attachment).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      userId: 'anna',
      url: link.url,
      status: 'COMPLETED',
      type: 'EXTERNAL',
      title: 'A link',
      description: 'Of use',
      videos: ['video-9'],
      modules: ['module-9'],
    })
    expect((await service.get(attachment.id)).body).toEqual(attachment)
    expect((await service.list('?videos=video-9')).data).toEqual([attachment])
  })

  it('answers a file with only its upload URL and lists it as IN_PROGRESS', async () => {
    const answer = await service.create<{ url: string }>(file)
    expect(Object.keys(answer)).toEqual(['url'])
    expect(answer.url.startsWith(`${service.server.origin}/storage/`)).toBe(true)
    const [listed] = (await service.list('?userId=anna', anna)).data
    expect(listed).toMatchObject({
      status: 'IN_PROGRESS',
      title: 'A file',
      extension: 'pdf',
      url: answer.url,
    })
    expect(await service.refused(404, 'GET', `/${listed?.id ?? ''}`)).toMatch(/not here yet/)
  })

  it('accepts the path with and without a trailing slash, and texts of the maximum length', async () => {
    const body = { ...link, title: '界'.repeat(500), description: 'd'.repeat(5000) }
    const answer = await service.call<Attachment>('POST', '', { headers: anna, body })
    expect([answer.status, answer.body.title]).toEqual([201, body.title])
  })

  it('answers with the whole attachment and lists {items, totalCount} in the variant of a known server', async () => {
    await service.control('POST', '/attachments/variant', { wholeEntity: true })
    const created = await service.create(file)
    expect(created).toMatchObject({ status: 'IN_PROGRESS', type: 'INTERNAL', userId: 'anna' })
    expect((await fetch(created.url, { method: 'PUT', body: 'x' })).status).toBe(200)
    const page = await service.call<object>('GET', '/video/video-1', {})
    expect(Object.keys(page.body)).toEqual(['items', 'totalCount'])
    await service.control('POST', '/attachments/variant', { wholeEntity: false })
    expect(Object.keys(await service.list())).toEqual(['data', 'totalCount'])
  })

  it.each([
    ['no body', undefined],
    ['no object', []],
    ['no type', { ...link, type: undefined }],
    ['an unknown type', { ...link, type: 'OTHER' }],
    ['no title', { ...link, title: undefined }],
    ['an empty title', { ...link, title: '' }],
    ['a title of 501 characters', { ...link, title: 'a'.repeat(501) }],
    ['a title that is no text', { ...link, title: 7 }],
    ['a description of 5001 characters', { ...link, description: 'a'.repeat(5001) }],
    ['a description that is null', { ...link, description: null }],
    ['a link without url', { ...link, url: undefined }],
    ['a relative url', { ...link, url: '/a' }],
    ['a url that runs code', { ...link, url: 'javascript:alert(1)' }],
    ['a url of a file', { ...link, url: 'file:///etc/passwd' }],
    ['a url without slashes', { ...link, url: 'https:example.org' }],
    ['a url of 2049 characters', { ...link, url: `https://a.example/${'a'.repeat(2031)}` }],
    ['a file without extension', { ...file, extension: undefined }],
    ['an extension with a dot', { ...file, extension: '.pdf' }],
    ['an extension with a path', { ...file, extension: 'a/../b' }],
    ['an empty extension', { ...file, extension: '' }],
    ['an extension of 17 letters', { ...file, extension: 'a'.repeat(17) }],
    ['videos that are no list', { ...link, videos: 'video-1' }],
    ['videos that are no texts', { ...link, videos: [1] }],
    ['101 modules', { ...link, modules: Array.from({ length: 101 }, String) }],
    ['an id of a video of 101 characters', { ...link, videos: ['v'.repeat(101)] }],
  ])('refuses %s and creates nothing', async (_name, body) => {
    const before = (await service.list()).totalCount
    expect(await service.refused(400, 'POST', '/', body)).toMatch(/^[\w. ]+: ./)
    expect((await service.list()).totalCount).toBe(before)
  })
})

describe('GET /attachments/video/{videoId}', () => {
  it('pages through the attachments of a video, also for members', async () => {
    const member = as('dora', 'MEMBER')
    const linked = (await service.list('?videos=video-1&pageSize=100', as('dora', 'CONTRIBUTOR'))).data
    const page = await service.call<unknown>('GET', '/video/video-1?page=2&pageSize=2', { headers: member })
    expect([page.status, page.body]).toEqual([200, { data: linked.slice(2, 4), totalCount: linked.length }])
    const first = await service.call<{ data: unknown[] }>('GET', '/video/video-1', { headers: member })
    expect(first.body.data, 'the document has no parameters for it').toEqual(linked)
    const none = await service.call<unknown>('GET', '/video/nothing', { headers: member })
    expect(none.body).toEqual({ data: [], totalCount: 0 })
  })

  it('refuses pages and sizes out of range, and callers without a role', async () => {
    for (const query of ['page=0', 'pageSize=0', 'pageSize=101', 'page=1&page=2', 'page=']) {
      expect(await service.refused(400, 'GET', `/video/video-1?${query}`)).toMatch(/must be a whole number/)
    }
    await service.refused(403, 'GET', '/video/video-1', undefined, { 'x-user-id': 'anna' })
  })

  it('shows the upload URL only to callers who may upload', async () => {
    const { url } = await service.create<{ url: string }>({ ...file, videos: ['video-9'] })
    const urlFor = async (headers: Record<string, string>) =>
      (await service.call<{ data: Attachment[] }>('GET', '/video/video-9', { headers })).body.data[0]?.url
    expect(await urlFor(as('anna', 'MEMBER'))).toBe(url)
    expect(await urlFor(as('root', 'ADMINISTRATOR'))).toBe(url)
    expect(await urlFor(as('bram', 'CONTRIBUTOR'))).toBe('')
  })
})

describe('GET /attachments/{id}', () => {
  it('returns a download URL made for this answer', async () => {
    const { id, title } = await service.one(
      ({ type, status, extension }) => type === 'INTERNAL' && status === 'COMPLETED' && extension === 'txt',
    )
    const { body } = await service.get(id, as('dora', 'MEMBER'))
    expect(body.title).toBe(title)
    expect(await (await fetch(body.url)).text()).toMatch(/^1\. A note on /)
    await service.advance(60)
    expect((await service.get(id)).body.url).not.toBe(body.url)
  })

  it.each(['unknown', 'video', '__proto__', '%00', '%F0%9F%92%A9', 'a'.repeat(101)])(
    'answers 404 for the id %s',
    async (id) => {
      await service.refused(404, 'GET', `/${id}`)
    },
  )

  it('allows members, contributors and administrators', async () => {
    const { id } = await service.create(link)
    await service.refused(403, 'GET', `/${id}`, undefined, { 'x-user-id': 'anna' })
    for (const role of ['MEMBER', 'CONTRIBUTOR', 'ADMINISTRATOR']) {
      expect((await service.get(id, as('dora', role))).status).toBe(200)
    }
  })
})

it('lists the last update first, and attachments with the same time in a stable order', async () => {
  const ids = []
  for (const title of ['one', 'two', 'three']) ids.push((await service.create({ ...link, title })).id)
  expect((await service.list('?pageSize=3')).data.map(({ id }) => id)).toEqual(ids.sort())
})

it('refuses malformed, oversized and non-JSON bodies in its own error format', async () => {
  const send = (contentType: string, body: string) =>
    fetch(`${service.server.attachments}/attachments/`, {
      method: 'POST',
      headers: { 'content-type': contentType },
      body,
    })
  for (const [contentType, body, status, error] of [
    ['application/json', '{"type": ', 400, 'Bad Request'],
    ['application/json', '{"type": "EXTERNAL", "__proto__": {}}', 400, 'Bad Request'],
    ['text/plain', '{}', 415, 'Unsupported Media Type'],
    [
      'application/json',
      JSON.stringify({ ...link, title: 'a'.repeat(1024 * 1024) }),
      413,
      'Payload Too Large',
    ],
  ] as const) {
    const response = await send(contentType, body)
    expect([response.status, await response.json()]).toMatchObject([status, { statusCode: status, error }])
  }
})

it.each([
  ['a NUL', 'a\u0000b'],
  ['a lone surrogate', '\ud800'],
  ['markup', '<b>"\'&'],
  ['line ends', 'a\r\nb\u2028c'],
  ['reversed writing', '\u202Egpj.exe'],
])('returns a title with %s unchanged and lets its file be downloaded', async (_name, title) => {
  const { url } = await service.create<{ url: string }>({ ...file, title, extension: 'txt' })
  expect((await fetch(url, { method: 'PUT', body: 'content' })).status).toBe(200)
  const [attachment] = (await service.list('?userId=anna')).data
  expect(attachment).toMatchObject({ title, status: 'COMPLETED' })
  const download = await fetch(attachment?.url ?? '')
  expect([download.status, await download.text()]).toEqual([200, 'content'])
})
