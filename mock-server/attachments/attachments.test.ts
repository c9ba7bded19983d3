import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Attachment } from './attachment'
import { as, TestAttachments } from './test-attachments'

let service: TestAttachments
beforeAll(async () => {
  service = await TestAttachments.start()
})
afterAll(() => service.server.close())
beforeEach(() => service.control('POST', '/reset'))

const anna = as('anna', 'CONTRIBUTOR')
const link = { type: 'EXTERNAL', title: 'A link', url: 'https://www.example.org/a' }
const file = { type: 'INTERNAL', title: 'A file', extension: 'PDF' }

async function create<T = Attachment>(body: unknown, headers = anna): Promise<T> {
  const answer = await service.call<T>('POST', '/', { headers, body })
  expect(answer.status).toBe(201)
  return answer.body
}
async function refused(status: number, method: string, path: string, body?: unknown, headers = anna) {
  const answer = await service.call(method, path, { headers, ...(body === undefined ? {} : { body }) })
  expect([answer.status, answer.body.statusCode]).toEqual([status, status])
  return answer.body.message
}

describe('POST /attachments/', () => {
  it('answers a link with the whole attachment, COMPLETED at once', async () => {
    const body = { ...link, description: 'Of use', videos: ['video-9'], modules: ['module-9'], unknown: 1 }
    const attachment = await create(body)
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

  it('answers a file with where to upload it and nothing else, and lists it IN_PROGRESS', async () => {
    const answer = await create<{ url: string }>(file)
    expect(Object.keys(answer)).toEqual(['url'])
    expect(answer.url.startsWith(`${service.server.origin}/storage/`)).toBe(true)
    const [listed] = (await service.list('?userId=anna', anna)).data
    expect(listed).toMatchObject({
      status: 'IN_PROGRESS',
      title: 'A file',
      extension: 'pdf',
      url: answer.url,
    })
    expect(await refused(404, 'GET', `/${listed?.id ?? ''}`)).toMatch(/not here yet/)
  })

  it('works with and without the slash at its end, and takes titles and texts up to their bounds', async () => {
    const body = { ...link, title: '界'.repeat(500), description: 'd'.repeat(5000) }
    const answer = await service.call<Attachment>('POST', '', { headers: anna, body })
    expect([answer.status, answer.body.title]).toEqual([201, body.title])
  })

  it('as a known server does it, answers with the whole attachment and lists {items, totalCount}', async () => {
    await service.control('POST', '/attachments/variant', { wholeEntity: true })
    const created = await create(file)
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
  ])('refuses %s', async (_name, body) => {
    const before = (await service.list()).totalCount
    expect(await refused(400, 'POST', '/', body)).toMatch(/^[\w. ]+: ./)
    expect((await service.list()).totalCount).toBe(before)
  })
})

describe('GET /attachments/video/{videoId}', () => {
  it('pages through what is linked to the video, for members too', async () => {
    const member = as('dora', 'MEMBER')
    const linked = (await service.list('?videos=video-1&pageSize=100', as('dora', 'CONTRIBUTOR'))).data
    const page = await service.call<unknown>('GET', '/video/video-1?page=2&pageSize=2', { headers: member })
    expect([page.status, page.body]).toEqual([200, { data: linked.slice(2, 4), totalCount: linked.length }])
    const first = await service.call<{ data: unknown[] }>('GET', '/video/video-1', { headers: member })
    expect(first.body.data).toEqual(linked.slice(0, 10))
    const none = await service.call<unknown>('GET', '/video/nothing', { headers: member })
    expect(none.body).toEqual({ data: [], totalCount: 0 })
  })

  it('refuses pages and sizes out of bounds, and no role at all', async () => {
    for (const query of ['page=0', 'pageSize=0', 'pageSize=101', 'page=1&page=2', 'page=']) {
      expect(await refused(400, 'GET', `/video/video-1?${query}`)).toMatch(/must be a whole number/)
    }
    await refused(403, 'GET', '/video/video-1', undefined, { 'x-user-id': 'anna' })
  })

  it('hands the address for an upload to nobody who may not upload', async () => {
    const { url } = await create<{ url: string }>({ ...file, videos: ['video-9'] })
    const urlFor = async (headers: Record<string, string>) =>
      (await service.call<{ data: Attachment[] }>('GET', '/video/video-9', { headers })).body.data[0]?.url
    expect(await urlFor(as('anna', 'MEMBER'))).toBe(url)
    expect(await urlFor(as('root', 'ADMINISTRATOR'))).toBe(url)
    expect(await urlFor(as('bram', 'CONTRIBUTOR'))).toBe('')
  })
})

describe('GET /attachments/{id}', () => {
  it('gives a link to download the file, made for this answer', async () => {
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
    'knows no %s',
    async (id) => {
      await refused(404, 'GET', `/${id}`)
    },
  )

  it('is for members, contributors and administrators', async () => {
    const { id } = await create(link)
    await refused(403, 'GET', `/${id}`, undefined, { 'x-user-id': 'anna' })
    for (const role of ['MEMBER', 'CONTRIBUTOR', 'ADMINISTRATOR']) {
      expect((await service.get(id, as('dora', role))).status).toBe(200)
    }
  })
})

describe('PATCH /attachments/{id}', () => {
  const patch = <T = Attachment>(id: string, body: unknown, headers = anna) =>
    service.call<T>('PATCH', `/${id}`, { headers, body })

  it('changes what is given, leaves the rest, and moves the attachment to the top', async () => {
    const before = await create({ ...link, videos: ['video-9'] })
    await service.advance(1)
    await create({ ...link, title: 'Newer' })
    await service.advance(1)
    const changed = {
      ...before,
      title: 'New',
      description: 'Words',
      modules: ['module-9'],
      url: 'http://b.example/',
    }
    const { title, description, modules, url } = changed
    const answer = await patch(before.id, { title, description, modules, url, type: 'EXTERNAL' })
    expect(answer).toEqual({ status: 200, body: changed })
    expect((await service.list('?pageSize=1')).data).toEqual([changed])
    expect(await patch(before.id, {})).toEqual({ status: 200, body: changed })
  })

  it('keeps the file of an attachment whose extension is not given', async () => {
    const id = await service.upload('kept')
    const renamed = await patch(
      id,
      { type: 'INTERNAL', title: 'Renamed', url: 'not looked at' },
      as('a', 'ADMINISTRATOR'),
    )
    expect(renamed.body).toMatchObject({ status: 'COMPLETED', title: 'Renamed' })
    const download = await fetch(renamed.body.url)
    expect(download.headers.get('content-disposition')).toContain('filename="Renamed.txt"')
    expect(await download.text()).toBe('kept')
  })

  it('replaces the file when the extension is given: IN_PROGRESS until the new one is there', async () => {
    const id = await service.upload('old')
    const old = (await service.get(id)).body.url
    const answer = await patch<{ url: string }>(id, { extension: 'csv' }, as('a', 'ADMINISTRATOR'))
    expect(Object.keys(answer.body)).toEqual(['url'])
    expect((await service.get(id)).status).toBe(404)
    expect(await (await fetch(old)).text()).toBe('old')
    expect((await fetch(answer.body.url, { method: 'PUT', body: 'new' })).status).toBe(200)
    const { body } = await service.get(id)
    expect(body).toMatchObject({ status: 'COMPLETED', extension: 'csv' })
    const download = await fetch(body.url)
    expect([download.headers.get('content-type'), await download.text()]).toEqual(['text/csv', 'new'])
    expect((await fetch(old)).status).toBe(404)
  })

  it('makes a link of a file, which drops the file, and a file of a link, which starts an upload', async () => {
    const id = await service.upload('dropped')
    const old = (await service.get(id)).body.url
    const administrator = as('a', 'ADMINISTRATOR')
    const toLink = await patch(id, { type: 'EXTERNAL', url: link.url }, administrator)
    expect(toLink.body).toMatchObject({ type: 'EXTERNAL', status: 'COMPLETED', url: link.url })
    expect(toLink.body).not.toHaveProperty('extension')
    expect((await fetch(old)).status).toBe(404)
    const toFile = await patch<{ url: string }>(id, { type: 'INTERNAL', extension: 'txt' }, administrator)
    expect((await service.get(id)).status).toBe(404)
    expect((await fetch(toFile.body.url, { method: 'PUT', body: 'x' })).status).toBe(200)
    expect((await service.get(id)).body).toMatchObject({ type: 'INTERNAL', status: 'COMPLETED' })
  })

  it('refuses to change the type without what the other type needs', async () => {
    const { id } = await create(link)
    expect(await refused(400, 'PATCH', `/${id}`, { type: 'INTERNAL' })).toMatch(/^extension: /)
    const fileId = await service.upload('x')
    const administrator = as('a', 'ADMINISTRATOR')
    expect(await refused(400, 'PATCH', `/${fileId}`, { type: 'EXTERNAL' }, administrator)).toMatch(/^url: /)
    expect((await service.get(fileId)).status).toBe(200)
  })

  it.each([
    [{ title: '' }],
    [{ title: null }],
    [{ type: 'OTHER' }],
    [{ extension: 'a.b' }],
    [{ url: 'ftp://a.example/' }],
    [{ videos: {} }],
    [[]],
    ['text'],
  ])('refuses %j', async (body) => {
    const { id } = await create(link)
    await refused(400, 'PATCH', `/${id}`, body)
    expect((await service.get(id)).body).toMatchObject({ title: link.title, url: link.url })
  })

  it('is for the owner and for administrators', async () => {
    const { id } = await create(link)
    await refused(403, 'PATCH', `/${id}`, { title: 'x' }, as('bram', 'CONTRIBUTOR'))
    await refused(403, 'PATCH', `/${id}`, { title: 'x' }, as('anna', 'MEMBER'))
    expect((await patch(id, { title: 'x' }, as('bram', 'ADMINISTRATOR'))).status).toBe(200)
    await refused(404, 'PATCH', '/unknown', { title: 'x' })
  })
})

describe('DELETE /attachments/{id}', () => {
  it('removes the attachment and its file', async () => {
    const id = await service.upload('gone')
    const { url } = (await service.get(id)).body
    expect(await service.call('DELETE', `/${id}`)).toEqual({ status: 204, body: undefined })
    expect((await service.get(id)).status).toBe(404)
    expect((await fetch(url)).status).toBe(404)
    await refused(404, 'DELETE', `/${id}`)
  })

  it('is for the owner and for administrators', async () => {
    const { id } = await create(link)
    await refused(403, 'DELETE', `/${id}`, undefined, as('bram', 'CONTRIBUTOR'))
    await refused(403, 'DELETE', `/${id}`, undefined, as('anna', 'MEMBER'))
    expect((await service.call('DELETE', `/${id}`, { headers: anna })).status).toBe(204)
  })

  it('takes an attachment whose file never came', async () => {
    const { id, url } = await service.announce()
    expect((await service.call('DELETE', `/${id}`)).status).toBe(204)
    expect((await fetch(url, { method: 'PUT', body: 'too late' })).status).toBe(200)
    expect((await service.get(id)).status).toBe(404)
    expect((await service.uploads()).deliveries.at(-1)?.note).toMatch(/No attachment awaits this file/)
  })
})

it('lists the last update first, and attachments of the same time always in the same order', async () => {
  const ids = []
  for (const title of ['one', 'two', 'three']) ids.push((await create({ ...link, title })).id)
  expect((await service.list('?pageSize=3')).data.map(({ id }) => id)).toEqual(ids.sort())
})

it('refuses bodies that are no JSON, of another type or too large in its own error shape', async () => {
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
])('a title with %s comes back as it was, and its file can be downloaded', async (_name, title) => {
  const { url } = await create<{ url: string }>({ ...file, title, extension: 'txt' })
  expect((await fetch(url, { method: 'PUT', body: 'content' })).status).toBe(200)
  const [attachment] = (await service.list('?userId=anna')).data
  expect(attachment).toMatchObject({ title, status: 'COMPLETED' })
  const download = await fetch(attachment?.url ?? '')
  expect([download.status, await download.text()]).toEqual([200, 'content'])
})
