import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Attachment } from './attachment'
import { anna, as, link, TestAttachments } from './attachments.testing'

let service: TestAttachments
beforeAll(async () => {
  service = await TestAttachments.start()
})
afterAll(() => service.server.close())
beforeEach(() => service.control('POST', '/reset'))

describe('PATCH /attachments/{id}', () => {
  const patch = <T = Attachment>(id: string, body: unknown, headers = anna) =>
    service.call<T>('PATCH', `/${id}`, { headers, body })

  it('changes the given fields, keeps the others, and moves the attachment to the top', async () => {
    const before = await service.create({ ...link, videos: ['video-9'] })
    await service.advance(1)
    await service.create({ ...link, title: 'Newer' })
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

  it('keeps the file when the extension is not given', async () => {
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

  it('is IN_PROGRESS after a new extension until the new file is uploaded, then replaces the old file', async () => {
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

  it('deletes the file when it becomes a link, and starts an upload when a link becomes a file', async () => {
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

  it('refuses a change of type without the fields of the new type', async () => {
    const { id } = await service.create(link)
    expect(await service.refused(400, 'PATCH', `/${id}`, { type: 'INTERNAL' })).toMatch(/^extension: /)
    const fileId = await service.upload('x')
    const administrator = as('a', 'ADMINISTRATOR')
    expect(await service.refused(400, 'PATCH', `/${fileId}`, { type: 'EXTERNAL' }, administrator)).toMatch(
      /^url: /,
    )
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
    const { id } = await service.create(link)
    await service.refused(400, 'PATCH', `/${id}`, body)
    expect((await service.get(id)).body).toMatchObject({ title: link.title, url: link.url })
  })

  it('allows only the owner and administrators', async () => {
    const { id } = await service.create(link)
    await service.refused(403, 'PATCH', `/${id}`, { title: 'x' }, as('bram', 'CONTRIBUTOR'))
    await service.refused(403, 'PATCH', `/${id}`, { title: 'x' }, as('anna', 'MEMBER'))
    expect((await patch(id, { title: 'x' }, as('bram', 'ADMINISTRATOR'))).status).toBe(200)
    await service.refused(404, 'PATCH', '/unknown', { title: 'x' })
  })
})

describe('DELETE /attachments/{id}', () => {
  it('removes the attachment and its file', async () => {
    const id = await service.upload('gone')
    const { url } = (await service.get(id)).body
    expect(await service.call('DELETE', `/${id}`)).toEqual({ status: 204, body: undefined })
    expect((await service.get(id)).status).toBe(404)
    expect((await fetch(url)).status).toBe(404)
    await service.refused(404, 'DELETE', `/${id}`)
  })

  it('allows only the owner and administrators', async () => {
    const { id } = await service.create(link)
    await service.refused(403, 'DELETE', `/${id}`, undefined, as('bram', 'CONTRIBUTOR'))
    await service.refused(403, 'DELETE', `/${id}`, undefined, as('anna', 'MEMBER'))
    expect((await service.call('DELETE', `/${id}`, { headers: anna })).status).toBe(204)
  })

  it('deletes an attachment whose file was never uploaded, and drops a late upload', async () => {
    const { id, url } = await service.announce()
    expect((await service.call('DELETE', `/${id}`)).status).toBe(204)
    expect((await fetch(url, { method: 'PUT', body: 'too late' })).status).toBe(200)
    expect((await service.get(id)).status).toBe(404)
    expect((await service.uploads()).deliveries.at(-1)?.note).toMatch(/No attachment awaits this file/)
  })
})
