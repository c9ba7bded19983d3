import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { TestAttachments, type Uploads } from './attachments.testing'

let service: TestAttachments
beforeAll(async () => {
  service = await TestAttachments.start()
})
afterAll(() => service.server.close())
beforeEach(() => service.control('POST', '/reset'))

const put = (url: string, body: string) => fetch(url, { method: 'PUT', body })
const notify = (body: unknown) => service.control<Uploads>('POST', '/uploads/notify', body)
const status = async (id: string) => (await service.one((attachment) => attachment.id === id)).status

describe('an upload', () => {
  it('completes its attachment before the storage answers', async () => {
    const { id, url } = await service.announce()
    expect(await status(id)).toBe('IN_PROGRESS')
    expect((await put(url, 'hello')).status).toBe(200)
    expect(await status(id)).toBe('COMPLETED')
    expect(await (await fetch((await service.get(id)).body.url)).text()).toBe('hello')
    const { deliveries, queued } = await service.uploads()
    expect(queued).toEqual([])
    expect(deliveries).toMatchObject([
      {
        attachmentId: id,
        subscriber: 'attachments',
        outcome: 'handled',
        note: 'The attachment is COMPLETED.',
        time: '2026-11-20T12:00:00.000Z',
        notification: {
          etag: '"5d41402abc4b2a76b9719d911017c592"',
          size: 5,
          time: '2026-11-20T12:00:00.000Z',
        },
      },
    ])
  })

  it('replaces the file when repeated to the same URL', async () => {
    const { id, url } = await service.announce()
    await put(url, 'first')
    await put(url, 'second')
    expect(await (await fetch((await service.get(id)).body.url)).text()).toBe('second')
    expect((await service.uploads()).deliveries.at(-1)?.note).toBe('The attachment was COMPLETED before.')
  })

  it('changes nothing when a later PATCH has replaced its URL', async () => {
    const { id, url } = await service.announce()
    const patched = await service.call<{ url: string }>('PATCH', `/${id}`, { body: { extension: 'txt' } })
    await put(url, 'late')
    expect(await status(id)).toBe('IN_PROGRESS')
    await put(patched.body.url, 'right')
    expect(await (await fetch((await service.get(id)).body.url)).text()).toBe('right')
  })
})

describe('notifications', () => {
  it('can be held back and delivered one by one, or all when the hold ends', async () => {
    expect((await notify({ hold: true })).body.switches).toMatchObject({ hold: true })
    const ids = [await service.upload('one'), await service.upload('two'), await service.upload('three')]
    expect((await service.uploads()).queued.map(({ attachmentId }) => attachmentId)).toEqual(ids)
    expect((await notify({ attachmentId: ids[1] })).status).toBe(200)
    const states = () => Promise.all(ids.map(status))
    expect(await states()).toEqual(['IN_PROGRESS', 'COMPLETED', 'IN_PROGRESS'])
    expect((await notify({ hold: false })).body.queued).toEqual([])
    expect(await states()).toEqual(['COMPLETED', 'COMPLETED', 'COMPLETED'])
  })

  it("are delivered after the delay, by the mock's clock", async () => {
    await notify({ delaySeconds: 60 })
    const id = await service.upload('x')
    await service.advance(59)
    expect(await status(id)).toBe('IN_PROGRESS')
    await service.advance(1)
    expect(await status(id)).toBe('COMPLETED')
  })

  it('complete the attachment once when they are delivered twice', async () => {
    await notify({ duplicate: true })
    const id = await service.upload('x')
    expect(await status(id)).toBe('COMPLETED')
    const [first, second] = (await service.uploads()).deliveries
    expect(second).toEqual({ ...first, note: 'The attachment was COMPLETED before.' })
  })

  it('leave the attachment IN_PROGRESS when they are lost, until one is delivered by hand', async () => {
    await notify({ lose: true })
    const id = await service.upload('x')
    expect((await service.uploads()).deliveries).toMatchObject([{ outcome: 'lost', attachmentId: id }])
    expect(await status(id)).toBe('IN_PROGRESS')
    await notify({ attachmentId: id })
    expect(await (await fetch((await service.get(id)).body.url)).text()).toBe('x')
  })

  it('are delivered again when the service fails to handle them', async () => {
    await notify({ failures: 1 })
    const id = await service.upload('x')
    expect((await service.uploads()).queued).toMatchObject([
      { failures: 1, dueAt: '2026-11-20T12:00:01.000Z' },
    ])
    expect(await status(id)).toBe('IN_PROGRESS')
    await service.advance(1)
    expect(await status(id)).toBe('COMPLETED')
    expect((await service.uploads()).deliveries.map(({ outcome }) => outcome)).toEqual(['failed', 'handled'])
  })

  it('complete the attachment when delivered without an upload, and its file is missing', async () => {
    const { id } = await service.announce()
    expect((await notify({ attachmentId: id })).status).toBe(200)
    const { status: found, body } = await service.get(id)
    expect([found, body.status]).toEqual([200, 'COMPLETED'])
    expect((await fetch(body.url)).status).toBe(404)
  })

  it('change nothing when they are delivered again', async () => {
    const id = await service.upload('x')
    expect((await notify({ attachmentId: id })).body.deliveries.at(-1)?.note).toBe(
      'The attachment was COMPLETED before.',
    )
    expect(await status(id)).toBe('COMPLETED')
  })

  it('cannot be delivered for unknown attachments and for links', async () => {
    const link = await service.one(({ type }) => type === 'EXTERNAL')
    expect([
      (await notify({ attachmentId: 'x' })).status,
      (await notify({ attachmentId: link.id })).status,
    ]).toEqual([404, 409])
  })

  it('are delivered when all-well ends a scenario that held them back', async () => {
    await service.control('POST', '/scenarios/held-upload')
    const id = await service.upload('x')
    expect(await status(id)).toBe('IN_PROGRESS')
    await service.control('POST', '/scenarios/all-well')
    expect(await status(id)).toBe('COMPLETED')
  })

  it.each([
    undefined,
    {},
    [],
    { hold: 'yes' },
    { hold: null },
    { attachmentId: 7 },
    { attachmentId: 'x', hold: true },
    { delaySeconds: -1 },
    { delaySeconds: 1e300 },
    { failures: 0.5 },
    { other: true },
  ])('are not changed by %j', async (body) => {
    const { status: answered, body: refusal } = await service.control('POST', '/uploads/notify', body)
    expect([answered, refusal]).toEqual([400, { error: expect.stringMatching(/\w/) as string }])
  })
})

it('refuses anything but a variant that it knows', async () => {
  for (const body of [undefined, {}, { wholeEntity: 1 }, { wholeEntity: true, other: 1 }]) {
    expect((await service.control('POST', '/attachments/variant', body)).status).toBe(400)
  }
})
