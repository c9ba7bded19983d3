import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { TestAttachments, type Page } from './attachments.testing'

let service: TestAttachments
beforeAll(async () => {
  service = await TestAttachments.start()
})
afterAll(() => service.server.close())
afterEach(() => service.control('POST', '/reset'))

const scenario = async (name: string) => {
  expect((await service.control('POST', `/scenarios/${name}`)).status).toBe(200)
}
const put = (url: string, body: string) => fetch(url, { method: 'PUT', body })
const status = async (id: string) => (await service.one((attachment) => attachment.id === id)).status
const completedFile = () => service.one(({ type, status }) => type === 'INTERNAL' && status === 'COMPLETED')

it('no-attachments: the list is empty, fills with new attachments, and is complete again afterwards', async () => {
  const before = await service.list('?pageSize=100')
  await scenario('no-attachments')
  expect(await service.list()).toEqual({ data: [], totalCount: 0 })
  expect((await service.get(before.data[0]?.id ?? '')).status).toBe(404)
  const id = await service.upload('x')
  expect((await service.list()).data.map((attachment) => attachment.id)).toEqual([id])
  await scenario('all-well')
  expect((await service.list('?pageSize=100')).totalCount).toBe(before.totalCount + 1)
})

it('ten-thousand-attachments: the list can be paged to its end, is always the same, and its attachments can be changed', async () => {
  await scenario('ten-thousand-attachments')
  const { data, totalCount } = await service.list('?pageSize=100&page=100')
  expect([data.length, totalCount]).toEqual([100, 10_040])
  const [first, second] = (await service.list('?pageSize=2')).data
  expect([first?.title, second?.title]).toEqual(['Attachment 1 of 10000', 'Attachment 2 of 10000'])
  expect((await fetch(first?.url ?? '')).headers.get('content-disposition')).toContain(
    'Attachment 1 of 10000.pdf',
  )
  const patched = await service.call('PATCH', `/${second?.id ?? ''}`, { body: { title: 'Changed' } })
  expect(patched.body).toMatchObject({ title: 'Changed' })
  expect((await service.call('DELETE', `/${first?.id ?? ''}`)).status).toBe(204)
  expect((await service.list()).totalCount).toBe(10_039)
  const replaced = await service.call<{ url: string }>('PATCH', `/${second?.id ?? ''}`, {
    body: { type: 'INTERNAL', extension: 'txt' },
  })
  expect((await put(replaced.body.url, 'mine')).status).toBe(200)
  expect(await (await fetch((await service.get(second?.id ?? '')).body.url)).text()).toBe('mine')
  await scenario('ten-thousand-attachments')
  expect((await service.list('?pageSize=2')).data).toEqual([first, second])
  await scenario('all-well')
  expect((await service.list()).totalCount).toBe(40)
})

it('attachment-hostile-titles: hostile titles come first, unchanged, and download under names that are valid in a header', async () => {
  await scenario('attachment-hostile-titles')
  const { data, totalCount } = await service.list('?pageSize=100')
  expect(totalCount).toBeGreaterThan(60)
  expect(data[0]?.title).toContain('<script>')
  for (const { type, url, title } of data.slice(0, totalCount - 40)) {
    if (type === 'EXTERNAL') continue
    const response = await fetch(url)
    expect([response.status, response.headers.get('content-disposition')], title).toEqual([
      200,
      expect.stringMatching(/^attachment; filename="[ -~]+"; filename\*=UTF-8''[\w.!~%-]+$/) as string,
    ])
    await response.arrayBuffer()
  }
})

it('attachments-other-shapes: create answers with whole attachments, and lists have items', async () => {
  await scenario('attachments-other-shapes')
  expect(Object.keys(await service.list())).toEqual(['items', 'totalCount'])
  const body = { type: 'INTERNAL', title: 'x', extension: 'txt' }
  expect((await service.call('POST', '/', { body })).body).toMatchObject({
    status: 'IN_PROGRESS',
    title: 'x',
  })
})

it('attachments-oldest-first and attachments-lagging-list: a new attachment is not on the first page', async () => {
  const { data, totalCount } = await service.list('?pageSize=100')
  await scenario('attachments-oldest-first')
  expect((await service.list('?pageSize=100')).data.map(({ id }) => id)).toEqual(
    data.map(({ id }) => id).toReversed(),
  )
  await scenario('attachments-lagging-list')
  const body = { type: 'EXTERNAL', title: 'x', url: 'https://example.org/' }
  const { id } = (await service.call<{ id: string }>('POST', '/', { body })).body
  expect((await service.get(id)).status).toBe(200)
  expect((await service.list()).totalCount).toBe(totalCount)
  await service.advance(60)
  expect((await service.list()).totalCount).toBe(totalCount + 1)
})

it('attachments-strict: the refusal names each undocumented field', async () => {
  await scenario('attachments-strict')
  const [video = ''] = (await service.one(({ videos }) => videos.length > 0)).videos
  expect((await service.call('GET', `/video/${video}`)).status).toBe(200)
  expect((await service.call('GET', `/video/${video}?page=1`)).body).toMatchObject({
    statusCode: 400,
    message: 'property page should not exist',
  })
  const body = { type: 'EXTERNAL', title: 'x', url: 'https://example.org/', videos: [video], modules: [] }
  expect((await service.call('POST', '/', { body })).body.message).toBe(
    'property videos should not exist, property modules should not exist',
  )
})

it('attachments-fixed-page and attachments-bad-records: lists differ from the request and the document', async () => {
  await scenario('attachments-fixed-page')
  const { data, totalCount } = await service.list('?pageSize=100&page=2')
  expect([data.length, totalCount]).toEqual([10, 40])
  await scenario('attachments-bad-records')
  const bad = await service.list('?pageSize=100')
  expect([bad.data.length, bad.totalCount]).toEqual([43, 43])
  expect(bad.data.slice(0, 3)).toMatchObject([{ videos: null }, { status: 'LOST' }, { title: 'Bad' }])
})

it('early-upload-refusal: one upload gets 403 and a closed connection', async () => {
  const { url } = await service.announce()
  await scenario('early-upload-refusal')
  const refused = await put(url, 'x')
  expect([refused.status, refused.headers.get('connection')]).toEqual([403, 'close'])
  expect((await put(url, 'x')).status).toBe(200)
})

it('storage-one-credential: a token beside the signature of a URL is refused', async () => {
  const { id, url } = await service.announce()
  await scenario('storage-one-credential')
  const headers = { authorization: 'Bearer token' }
  const refused = await fetch(url, { method: 'PUT', body: 'x', headers })
  expect([refused.status, await refused.text()]).toEqual([
    400,
    expect.stringContaining('InvalidArgument') as string,
  ])
  expect((await put(url, 'x')).status).toBe(200)
  const file = (await service.get(id)).body.url
  expect((await fetch(file, { headers: { authorization: 'Basic eDp5' } })).status).toBe(400)
  expect((await fetch(file)).status).toBe(200)
})

it('attachments-forbidden and attachments-down: every request is refused', async () => {
  await scenario('attachments-forbidden')
  const methods = [
    ['GET', '/'],
    ['GET', '/x'],
    ['GET', '/video/x'],
    ['DELETE', '/x'],
  ] as const
  for (const [method, path] of methods) {
    expect((await service.call(method, path)).body).toMatchObject({ statusCode: 403, error: 'Forbidden' })
  }
  await scenario('attachments-down')
  const response = await fetch(`${service.server.attachments}/attachments/`)
  expect([response.status, response.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8'])
  await response.arrayBuffer()
})

it('held, delayed, lost and failing notifications leave the attachment IN_PROGRESS', async () => {
  for (const [name, seconds, later] of [
    ['held-upload', 3600, 'IN_PROGRESS'],
    ['lost-upload-notification', 3600, 'IN_PROGRESS'],
    ['delayed-upload-notification', 10, 'COMPLETED'],
    ['failing-upload-notification', 1, 'IN_PROGRESS'],
  ] as const) {
    await scenario(name)
    const id = await service.upload('x')
    expect(await status(id), name).toBe('IN_PROGRESS')
    await service.advance(seconds)
    expect(await status(id), name).toBe(later)
  }
  await service.advance(2)
  expect((await service.uploads()).queued).toEqual([])
})

it('duplicated-upload-notification: the attachment completes once, and the log shows two deliveries', async () => {
  await scenario('duplicated-upload-notification')
  expect(await status(await service.upload('x'))).toBe('COMPLETED')
  expect((await service.uploads()).deliveries).toHaveLength(2)
})

it('expired-upload-url and short-lived-upload-url: only the short-lived URL can be replaced by a working one', async () => {
  await scenario('expired-upload-url')
  const expired = await put((await service.announce()).url, 'x')
  expect([expired.status, await expired.text()]).toEqual([
    403,
    expect.stringContaining('has expired') as string,
  ])
  await scenario('short-lived-upload-url')
  const { id, url } = await service.announce()
  await service.advance(5)
  expect((await put(url, 'x')).status).toBe(403)
  const again = await service.one((attachment) => attachment.id === id)
  expect((await put(again.url, 'x')).status).toBe(200)
})

it('storage-full, storage-unreachable and attachment-files-missing: the storage fails while the service works', async () => {
  const { url: upload } = await service.announce()
  const { url: download } = await completedFile()
  await scenario('storage-full')
  const refused = await put(upload, 'x')
  expect([refused.status, await refused.text()]).toEqual([
    507,
    expect.stringContaining('InsufficientStorage') as string,
  ])
  expect((await fetch(download)).status).toBe(200)
  await scenario('storage-unreachable')
  await expect(put(upload, 'x')).rejects.toThrow('fetch failed')
  await expect(fetch(download)).rejects.toThrow('fetch failed')
  await scenario('attachment-files-missing')
  expect((await fetch(download)).status).toBe(404)
  expect((await service.list()).totalCount).toBe(41)
})

it('interrupted-download: the download stops half-way, and again half-way when resumed with a range', async () => {
  const { url } = (await service.get(await service.upload('0123456789'))).body
  await scenario('interrupted-download')
  const received = async (range: string) => {
    const response = await fetch(url, { headers: { range } })
    let text = ''
    try {
      for await (const chunk of response.body ?? []) text += Buffer.from(chunk as Uint8Array).toString()
    } catch {
      return `${text}…`
    }
    return text
  }
  expect(await received('bytes=0-')).toBe('01234…')
  expect(await received('bytes=5-')).toBe('56…')
})

it('slow-upload: the storage reads slowly and completes the upload', async () => {
  await scenario('slow-upload')
  const start = performance.now()
  const id = await service.upload('x'.repeat(16 * 1024))
  expect(performance.now() - start).toBeGreaterThan(200)
  expect(await status(id)).toBe('COMPLETED')
})

it('gives each scenario a unique name and one sentence', async () => {
  const { body } = await service.control<{ name: string; sentence: string; part: string }[]>(
    'GET',
    '/scenarios',
  )
  const mine = body.filter(({ part }) => part === 'attachments')
  expect(mine.length).toBeGreaterThan(15)
  for (const { name, sentence } of mine)
    expect([name, sentence]).toEqual([name, expect.stringMatching(/^[A-Z].*\.$/)])
  expect(new Set(body.map(({ name }) => name)).size).toBe(body.length)
})

it('keeps what clients did after any scenario', async () => {
  const id = await service.upload('still here')
  await scenario('no-attachments')
  await scenario('attachments-forbidden')
  await scenario('all-well')
  const page = await service.call<Page>('GET', '/?userId=tester&pageSize=100')
  expect(page.body.data.some((attachment) => attachment.id === id)).toBe(true)
  expect(await (await fetch((await service.get(id)).body.url)).text()).toBe('still here')
})
