import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { TestAttachments, type Uploads } from './test-attachments'

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
  it('completes its attachment by the time the storage has answered', async () => {
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

  it('to the same address again replaces the file', async () => {
    const { id, url } = await service.announce()
    await put(url, 'first')
    await put(url, 'second')
    expect(await (await fetch((await service.get(id)).body.url)).text()).toBe('second')
    expect((await service.uploads()).deliveries.at(-1)?.note).toBe('The attachment was COMPLETED before.')
  })

  it('to an address that a later PATCH has replaced changes nothing', async () => {
    const { id, url } = await service.announce()
    const patched = await service.call<{ url: string }>('PATCH', `/${id}`, { body: { extension: 'txt' } })
    await put(url, 'late')
    expect(await status(id)).toBe('IN_PROGRESS')
    await put(patched.body.url, 'right')
    expect(await (await fetch((await service.get(id)).body.url)).text()).toBe('right')
  })
})

describe('notifications', () => {
  it('that are held back come one by one on demand, and all when nothing is held any more', async () => {
    expect((await notify({ hold: true })).body.switches).toMatchObject({ hold: true })
    const ids = [await service.upload('one'), await service.upload('two'), await service.upload('three')]
    expect((await service.uploads()).queued.map(({ attachmentId }) => attachmentId)).toEqual(ids)
    expect((await notify({ attachmentId: ids[1] })).status).toBe(200)
    const states = () => Promise.all(ids.map(status))
    expect(await states()).toEqual(['IN_PROGRESS', 'COMPLETED', 'IN_PROGRESS'])
    expect((await notify({ hold: false })).body.queued).toEqual([])
    expect(await states()).toEqual(['COMPLETED', 'COMPLETED', 'COMPLETED'])
  })

  it("that are delayed come when the mock's clock says so", async () => {
    await notify({ delaySeconds: 60 })
    const id = await service.upload('x')
    await service.advance(59)
    expect(await status(id)).toBe('IN_PROGRESS')
    await service.advance(1)
    expect(await status(id)).toBe('COMPLETED')
  })

  it('that come twice have one effect', async () => {
    await notify({ duplicate: true })
    const id = await service.upload('x')
    expect(await status(id)).toBe('COMPLETED')
    const [first, second] = (await service.uploads()).deliveries
    expect(second).toEqual({ ...first, note: 'The attachment was COMPLETED before.' })
  })

  it('that are lost leave the attachment IN_PROGRESS until one is delivered by hand', async () => {
    await notify({ lose: true })
    const id = await service.upload('x')
    expect((await service.uploads()).deliveries).toMatchObject([{ outcome: 'lost', attachmentId: id }])
    expect(await status(id)).toBe('IN_PROGRESS')
    await notify({ attachmentId: id })
    expect(await (await fetch((await service.get(id)).body.url)).text()).toBe('x')
  })

  it('that the service fails to take are delivered again', async () => {
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

  it('can be delivered though nothing was uploaded: the attachment is COMPLETED and its file missing', async () => {
    const { id } = await service.announce()
    expect((await notify({ attachmentId: id })).status).toBe(200)
    const { status: found, body } = await service.get(id)
    expect([found, body.status]).toEqual([200, 'COMPLETED'])
    expect((await fetch(body.url)).status).toBe(404)
  })

  it('can be delivered again, to no effect', async () => {
    const id = await service.upload('x')
    expect((await notify({ attachmentId: id })).body.deliveries.at(-1)?.note).toBe(
      'The attachment was COMPLETED before.',
    )
    expect(await status(id)).toBe('COMPLETED')
  })

  it('are not delivered for unknown attachments and for links', async () => {
    const link = await service.one(({ type }) => type === 'EXTERNAL')
    expect([
      (await notify({ attachmentId: 'x' })).status,
      (await notify({ attachmentId: link.id })).status,
    ]).toEqual([404, 409])
  })

  it('travel well again after a scenario is taken back: what was held is delivered', async () => {
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
  ])('are not bent by %j', async (body) => {
    const { status: answered, body: refusal } = await service.control('POST', '/uploads/notify', body)
    expect([answered, refusal]).toEqual([400, { error: expect.stringMatching(/\w/) as string }])
  })
})

it('the shapes of answers are not bent by anything but a choice', async () => {
  for (const body of [undefined, {}, { wholeEntity: 1 }, { wholeEntity: true, other: 1 }]) {
    expect((await service.control('POST', '/attachments/variant', body)).status).toBe(400)
  }
})
