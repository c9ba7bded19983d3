import { describe, expect, it, onTestFinished } from 'vitest'
import { createHttpClient } from '../../platform/http/http-client'
import { rejection } from '../../platform/http/test-server.testing'
import { createAttachmentsClient } from './create-attachments-client'
import { DocumentedService, type Behaviour } from './documented-service.testing'
import { instanceId, reaches, startTransfers } from './transfers.testing'

const me = { userId: 'me', roles: ['CONTRIBUTOR'] } as const
const large = 8_000_000

async function start(behaviour: Partial<Behaviour> = {}, identity?: typeof me) {
  const service = await DocumentedService.start(behaviour)
  return { service, ...(await startTransfers(service, identity)) }
}

async function clientOf(behaviour: Partial<Behaviour> = {}) {
  const service = await DocumentedService.start(behaviour)
  onTestFinished(() => service.close())
  const client = createAttachmentsClient({
    http: createHttpClient(),
    baseUrl: service.attachments,
    now: Date.now,
  })
  return { service, client }
}

const titles = (service: DocumentedService) =>
  service.entries.map(({ userId, title }) => `${userId}: ${title}`)
const writes = (service: DocumentedService) => service.calls.filter((call) => !call.startsWith('GET'))

/** Starts a service where another client has an unfinished upload of the same name, and makes our upload fail. */
async function failedUpload(behaviour: Partial<Behaviour>, identity?: typeof me) {
  const world = await start({ ...behaviour }, identity)
  const other = world.service.add({ title: 'notes' })
  for (let count = 0; count < 150; count += 1)
    world.service.add({ status: 'COMPLETED', title: `old ${count}` })
  if (behaviour.oldestFirst !== true) world.service.entries.reverse()
  world.service.behaviour.earlyRefusals = 100
  const path = await world.file('notes.txt', 5)
  return { ...world, other, transfer: await world.uploaded(path) }
}

describe('an upload whose service does not send the id', () => {
  it.each<[what: string, behaviour: Partial<Behaviour>]>([
    ['a list with the oldest first', { oldestFirst: true }],
    ['a list with the newest first', {}],
    ['pages of ten', { oldestFirst: true, fixedPage: 10 }],
  ])(
    'identifies its attachment in %s, and deletes only that one when cancelled',
    async (_what, behaviour) => {
      const { service, transfers, file } = await start(behaviour)
      const other = service.add({ title: 'notes' })
      for (let count = 0; count < 120; count += 1) service.add({ status: 'COMPLETED', title: `old ${count}` })
      service.behaviour.earlyRefusals = 0
      const before = titles(service)
      const path = await file('notes.txt', large)
      const { id } = await transfers.upload(instanceId, { path })
      await reaches(transfers, id, ({ state }) => state === 'transferring')
      transfers.cancel(id)
      const cancelled = await transfers.ended(id)
      expect(cancelled.state).toBe('cancelled')
      expect(cancelled.left).toBeUndefined()
      expect(titles(service)).toEqual(before)
      expect(service.entries).toContain(other)
    },
  )

  it.each<[what: string, behaviour: Partial<Behaviour>, identity?: typeof me]>([
    ['the list is behind', { listsBehind: 1000 }],
    ['the list is behind, and the author is known', { listsBehind: 1000 }, me],
    ['the list is behind, and uploads go to one path', { listsBehind: 1000, onePath: true }],
  ])(
    'changes nothing and reports an unidentified attachment where %s',
    async (_what, behaviour, identity) => {
      const { service, transfers, file, other, transfer } = await failedUpload(behaviour, identity)
      expect(transfer).toMatchObject({ state: 'failed', left: 'unidentified' })
      expect(transfer.attachmentId).toBeUndefined()
      expect(writes(service).filter((call) => !call.startsWith('PUT'))).toEqual(['POST /attachments/'])
      service.behaviour.earlyRefusals = 0
      transfers.retry(transfer.id)
      await transfers.ended(transfer.id)
      expect(service.files.has(other.id)).toBe(false)
      const begun = await transfers.upload(instanceId, { path: await file('notes.txt', large) })
      await reaches(transfers, begun.id, ({ state }) => state === 'transferring')
      transfers.cancel(begun.id)
      expect(await transfers.ended(begun.id)).toMatchObject({ state: 'cancelled', left: 'unidentified' })
      expect(service.calls.filter((call) => /^(DELETE|PATCH)/.test(call))).toEqual([])
      expect(service.entries).toContain(other)
    },
  )

  it('identifies its attachment once a delayed list shows it', async () => {
    const { service, uploaded, file } = await start()
    service.add({ title: 'notes' })
    service.behaviour.listsBehind = 3
    const done = await uploaded(await file('notes.txt', 5))
    expect(done).toMatchObject({ state: 'done' })
    expect(service.files.get(done.attachmentId ?? '')).toBe('notes')
  })

  it.each([false, true])(
    'does not mistake an attachment that another client creates at the same time for its own (one path: %s)',
    async (onePath) => {
      const { service, transfers, file } = await start({ listsBehind: 1000, sameElsewhere: true, onePath })
      const { id } = await transfers.upload(instanceId, { path: await file('notes.txt', large) })
      await reaches(transfers, id, ({ state }) => state === 'transferring')
      transfers.cancel(id)
      expect(await transfers.ended(id)).toMatchObject({ state: 'cancelled', left: 'unidentified' })
      expect(titles(service)).toEqual(['caller: notes', 'someone-else: notes'])
    },
  )

  it('lists only attachments of its own author', async () => {
    const { service, transfers, file } = await start({}, { ...me })
    const begun = await transfers.upload(instanceId, { path: await file('notes.txt', large) })
    await reaches(transfers, begun.id, ({ state }) => state === 'transferring')
    expect(service.entries[0]?.userId).toBe('me')
    transfers.cancel(begun.id)
    await transfers.ended(begun.id)
    expect(service.entries).toEqual([])
    expect(
      service.calls.filter((call) => call.startsWith('GET')).every((call) => call.includes('userId=me')),
    ).toBe(true)
  })

  it('reports a possible leftover after the answer to the creation was lost', async () => {
    const { uploaded, file, service } = await start({ lostAnswer: 502 })
    expect(await uploaded(await file('notes.txt', 5))).toMatchObject({
      state: 'failed',
      left: 'unidentified',
    })
    expect(writes(service)).toEqual(['POST /attachments/'])
  })

  it('reports no leftover after a refused creation', async () => {
    const { uploaded, file } = await start({ refusal: { status: 400, headers: {} } })
    const failed = await uploaded(await file('notes.txt', 5))
    expect(failed.state).toBe('failed')
    expect(failed.left).toBeUndefined()
  })
})

describe('an upload that the storage refuses after its head', () => {
  it('reads the refusal although the connection closes, and renews the address', async () => {
    const { service, uploaded, file, waits } = await start({ earlyRefusals: 1 })
    expect(await uploaded(await file('notes.txt', large))).toMatchObject({ state: 'done' })
    expect(writes(service)).toEqual(['POST /attachments/', 'PUT a-1', 'PATCH /attachments/a-1', 'PUT a-1'])
    expect(waits).toEqual([500])
  })
})

describe('a service that accepts only documented fields', () => {
  it('creates and changes without videos and modules, and lists the attachments of a video', async () => {
    const { service, client } = await clientOf({ strict: true })
    const link = { title: 'A', url: 'https://example.org/', videos: ['v1'], modules: ['m1'] }
    const added = await client.addLink(link)
    expect(added).toMatchObject({ title: 'A', videos: [], modules: [] })
    const texts = { title: 'B', videos: ['v1'] }
    expect(await client.edit(added.id, { type: 'EXTERNAL', ...texts })).toMatchObject({ title: 'B' })
    expect(await client.announceFile({ title: 'C', extension: 'txt', modules: ['m1'] })).toMatchObject({
      withoutLinks: true,
    })
    expect(service.bodies.filter((body) => 'videos' in body || 'modules' in body)).toHaveLength(3)
    service.add({ status: 'COMPLETED', videos: ['v1'] })
    expect(await client.forVideo('v1')).toMatchObject({ totalCount: 1, unreadable: 0 })
    expect(service.calls.at(-1)).toBe('GET /attachments/video/v1')
  })

  it('reports any other refusal unchanged', async () => {
    const { client } = await clientOf({ refusal: { status: 400, headers: {} } })
    const link = { title: 'A', url: 'https://example.org/', videos: ['v1'] }
    expect(await rejection(client.addLink(link))).toMatchObject({ code: 'attachments/refused' })
  })

  it('marks an upload whose videos were left out', async () => {
    const { uploaded, file } = await start({ strict: true })
    expect(await uploaded(await file('notes.txt', 5), { videos: ['v1'] })).toMatchObject({
      state: 'done',
      withoutLinks: true,
    })
  })
})

it.each([
  { status: 403, text: '<Error><Code>SignatureDoesNotMatch</Code></Error>' },
  {
    status: 403,
    text: '<Error><Code>AccessDenied</Code><HeadersNotSigned>content-type</HeadersNotSigned></Error>',
  },
  { status: 400, text: 'Content-Type is not allowed' },
  { status: 415, text: '' },
  { status: 403, text: '' },
])('uploads once without the media type that the storage refuses: $status $text', async (typeRefusal) => {
  const { service, uploaded, file } = await start({ typeRefusal })
  expect(await uploaded(await file('notes.txt', 5))).toMatchObject({ state: 'done' })
  expect([...service.files.values()]).toEqual(['notes'])
})

it('does not repeat an upload without the media type where the storage has another reason', async () => {
  const { service, uploaded, file } = await start({
    typeRefusal: { status: 403, text: '<Error><Code>AccessDenied</Code></Error>' },
  })
  expect(await uploaded(await file('notes.txt', 5))).toMatchObject({ state: 'failed' })
  expect(service.files.size).toBe(0)
})

it('leaves out and counts records that cannot be read', async () => {
  const good = { id: 'x', userId: 'u', url: '', status: 'COMPLETED', type: 'INTERNAL', title: 'T' }
  const linked = { ...good, videos: [], modules: [] }
  const badRecords = [
    { ...linked, videos: null },
    { ...linked, status: 'LOST' },
    { ...linked, id: undefined },
    null,
    'text',
  ]
  const { service, client } = await clientOf({ badRecords })
  const { id } = service.add({ status: 'COMPLETED', videos: ['v1'] })
  for (const page of [await client.list({ pageSize: 100 }), await client.forVideo('v1')]) {
    expect(page.data.map((attachment) => attachment.id)).toEqual([id])
    expect(page.unreadable).toBe(5)
  }
})

it.each([
  [429, '1', /is busy.*Try again in 1 second\./],
  [500, undefined, /has an internal error.*Try again later\./],
  [503, 'Fri, 01 Jan 2100 00:00:00 GMT', /has an internal error.*Try again later\./],
])('reports status %i as unavailable', async (status, retryAfter, sentence) => {
  const headers: Record<string, string> = retryAfter === undefined ? {} : { 'retry-after': retryAfter }
  const { client } = await clientOf({ refusal: { status, headers } })
  const thrown = await rejection(client.list())
  expect(thrown).toMatchObject({ code: 'attachments/unavailable', details: { status } })
  expect(String(thrown)).toMatch(sentence)
})

describe('replacing', () => {
  it('converts a link to a file only if asked to', async () => {
    const { service, transfers, file } = await start()
    const link = service.add({ type: 'EXTERNAL', status: 'COMPLETED', url: 'https://example.org/' })
    const path = await file('notes.txt', 5)
    const replace = async (mayConvert: boolean) => {
      const { id } = await transfers.replace(instanceId, {
        attachmentId: link.id,
        path,
        title: 'T',
        extension: '.TXT',
        mayConvert,
      })
      return transfers.ended(id)
    }
    expect(await replace(false)).toMatchObject({
      state: 'failed',
      error: { code: 'attachments/not-a-file' },
    })
    expect(link).toMatchObject({ type: 'EXTERNAL', url: 'https://example.org/' })
    expect(await replace(true)).toMatchObject({ state: 'done' })
    expect(link).toMatchObject({ type: 'INTERNAL', extension: 'txt' })
  })
})
