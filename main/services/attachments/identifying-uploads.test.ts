import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { MockServer } from '../../../mock-server/server'
import { startTestMock } from '../../../mock-server/test-authority'
import { createHttpClient } from '../../platform/http/http-client'
import { createAttachmentsClient } from './create-attachments-client'
import { instanceId, reaches, startTransfers } from './transfers.testing'

const me = { userId: 'me', roles: ['CONTRIBUTOR'] } as const
const collection = '/v2.0.0/attachments/'
const uploads = { method: 'PUT', path: '/storage/*' }

let mock: MockServer
beforeAll(async () => {
  mock = await startTestMock()
})
afterAll(() => mock.close())

/** Creates a world of the mock, which a test has for itself. */
async function world() {
  const created = await fetch(`${mock.control}/worlds`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
  const { world: name, origin, control } = (await created.json()) as Readonly<Record<string, string>>
  const close = async () => {
    await fetch(`${mock.control}/worlds/${name}`, { method: 'DELETE' })
  }
  return { attachments: `${origin}/v2.0.0`, control: String(control), close }
}

/** Starts transfers to a mock whose attachments service answers as this variant, with an unfinished upload `notes` of another user. */
async function start(variant: object = {}, identity?: typeof me) {
  const server = await world()
  const transfers = await startTransfers(server, identity)
  const other = createAttachmentsClient({
    http: createHttpClient(),
    baseUrl: server.attachments,
    identity: { userId: 'other', roles: ['CONTRIBUTOR'] },
    now: Date.now,
  })
  await other.announceFile({ title: 'notes', extension: 'txt' })
  if (Object.keys(variant).length > 0) await transfers.control('/attachments/variant', variant)
  await transfers.requests()
  const listed = async () => (await other.list({ pageSize: 100 })).data
  /** Returns the requests that write, without those to the storage. */
  const written = async () =>
    (await transfers.requests())
      .filter(({ method, path }) => method !== 'GET' && path.startsWith(collection))
      .map(({ method, path }) => `${method} ${path.slice('/v2.0.0'.length)}`)
  /** Cancels an upload of `notes.txt` while the storage reads it. */
  async function cancelled() {
    await transfers.control('/faults', { match: uploads, fault: { delayMs: 600_000 } })
    const { id } = await transfers.transfers.upload(instanceId, {
      path: await transfers.file('notes.txt', 5),
    })
    await reaches(transfers.transfers, id, ({ state }) => state === 'transferring')
    transfers.transfers.cancel(id)
    return transfers.transfers.ended(id)
  }
  return Object.assign(transfers, { other, listed, written, cancelled })
}

describe('an upload whose service does not send the id', () => {
  it.each([
    ['a list with the oldest first', { oldestFirst: true }],
    ['a list with the newest first', { oldestFirst: false }],
    ['pages of ten', { oldestFirst: true, maxOnPage: 10 }],
    ['a list with invalid records', { badRecords: true }],
  ])('identifies its attachment in %s, and deletes only that one when cancelled', async (_what, variant) => {
    const { listed, written, cancelled, other, control } = await start(variant)
    const before = (await other.list()).totalCount
    const transfer = await cancelled()
    expect(transfer.state).toBe('cancelled')
    expect(transfer.left).toBeUndefined()
    expect(transfer.attachmentId).toEqual(expect.any(String))
    expect(await written()).toEqual(['POST /attachments/', `DELETE /attachments/${transfer.attachmentId}`])
    expect((await other.list()).totalCount).toBe(before)
    await control('/attachments/variant', { maxOnPage: null })
    expect((await listed()).filter(({ userId }) => userId === 'other')).toHaveLength(1)
  })

  it.each([undefined, me])(
    'changes nothing and reports an unidentified attachment where the list is behind, as %j',
    async (identity) => {
      const { control, uploaded, transfers, file, waits, listed, written, cancelled } = await start(
        { listDelaySeconds: 3600 },
        identity,
      )
      await control('/storage', { earlyRefusals: 100 })
      const transfer = await uploaded(await file('notes.txt', 5))
      expect(transfer).toMatchObject({ state: 'failed', left: 'unidentified' })
      expect(transfer.attachmentId).toBeUndefined()
      expect(await written()).toEqual(['POST /attachments/'])
      await control('/storage', { earlyRefusals: 0 })
      transfers.retry(transfer.id)
      await transfers.ended(transfer.id)
      expect(await written(), 'another attempt creates a new attachment').toEqual(['POST /attachments/'])
      waits.length = 0
      expect(await cancelled()).toMatchObject({ state: 'cancelled', left: 'unidentified' })
      expect(waits).toEqual([500, 1000, 2000])
      expect(await written()).toEqual(['POST /attachments/'])
      await control('/clock', { advanceSeconds: 3600 })
      expect((await listed()).find(({ userId }) => userId === 'other')).toMatchObject({
        status: 'IN_PROGRESS',
      })
    },
  )

  it('identifies its attachment once a delayed list shows it', async () => {
    const world = await start({ listDelaySeconds: 60 })
    const { control, uploaded, file, waits, client, listed } = world
    world.onWait = async () => {
      if (waits.length === 2) await control('/clock', { advanceSeconds: 60 })
    }
    const done = await uploaded(await file('notes.txt', 5))
    expect(done).toMatchObject({ state: 'done' })
    expect(waits.slice(0, 2)).toEqual([500, 1000])
    expect(await client.show(done.attachmentId ?? '')).toMatchObject({ title: 'notes', status: 'COMPLETED' })
    expect(
      (await listed())
        .filter(({ title }) => title === 'notes')
        .map(({ status }) => status)
        .sort(),
    ).toEqual(['COMPLETED', 'IN_PROGRESS'])
  })

  const address = '{{origin}}/storage/bucket/upload?key=ours&signature=1'
  const ours = {
    id: 'ours',
    userId: 'me',
    type: 'INTERNAL',
    status: 'IN_PROGRESS',
    title: 'notes',
    extension: 'txt',
    url: address,
    videos: [],
    modules: [],
  }
  it.each<[what: string, records: readonly object[], id?: string]>([
    ['its own', [ours], 'ours'],
    ['its own with another signature', [{ ...ours, url: address.replace('=1', '=2') }], 'ours'],
    ['one at another path', [{ ...ours, url: address.replace('upload', 'other') }]],
    ['one at the same path with another key', [{ ...ours, url: address.replace('ours', 'other') }]],
    ['one at another host', [{ ...ours, url: 'https://storage.example.org/storage/bucket/upload?key=ours' }]],
    ['two at its address', [ours, { ...ours, id: 'other' }]],
    ['one of another author', [{ ...ours, userId: 'other' }]],
    ['one that is complete', [{ ...ours, status: 'COMPLETED' }]],
    ['a link', [{ ...ours, type: 'EXTERNAL' }]],
    ['one without an address', [{ ...ours, url: '' }]],
  ])('takes no attachment of another client for its own where the list shows %s', async (_what, data, id) => {
    const { control, cancelled, written } = await start({}, me)
    await control('/faults', {
      match: { method: 'POST', path: collection },
      fault: { status: 201, body: { url: address } },
    })
    await control('/faults', {
      match: { method: 'GET', path: collection },
      skip: 1,
      fault: { status: 200, body: { data, totalCount: data.length } },
    })
    await control('/faults', {
      match: { method: 'DELETE', path: `${collection}ours` },
      fault: { status: 204 },
    })
    const transfer = await cancelled()
    expect(transfer).toMatchObject({ state: 'cancelled' })
    expect(transfer.left).toBe(id === undefined ? 'unidentified' : undefined)
    expect(await written()).toEqual([
      'POST /attachments/',
      ...(id === undefined ? [] : [`DELETE /attachments/${id}`]),
    ])
  })

  it('requests only attachments of its own author', async () => {
    const { requests, cancelled } = await start({}, me)
    expect((await cancelled()).left).toBeUndefined()
    const lists = (await requests()).filter(({ path }) => path === collection)
    const reads = lists.filter(({ method }) => method === 'GET')
    expect(reads.map(({ query }) => query)).toEqual(
      reads.map(() => ({ pageSize: '100', page: '1', userId: 'me' })),
    )
    expect(reads.length).toBeGreaterThan(1)
  })

  it.each<[what: string, fault: object, left?: 'unidentified']>([
    ['a gateway lost the answer', { status: 502 }, 'unidentified'],
    ['the service failed', { status: 500 }, 'unidentified'],
    ['the answer broke off', { truncate: true }, 'unidentified'],
    ['the connection was reset', { reset: true }, 'unidentified'],
    ['the answer cannot be read', { body: '<html>' }, 'unidentified'],
    ['the service is down', { status: 503 }],
    ['the service is busy', { status: 429 }],
    ['the service refused', { status: 400 }],
    ['the service forbids it', { status: 403 }],
  ])('reports whether an attachment may be left behind where %s', async (_what, fault, left) => {
    const { control, uploaded, file, written } = await start()
    await control('/faults', { match: { method: 'POST', path: collection }, fault })
    const failed = await uploaded(await file('notes.txt', 5))
    expect(failed.state).toBe('failed')
    expect(failed.left).toBe(left)
    expect(await written()).toEqual(['POST /attachments/'])
  })
})

describe('a storage that refuses an upload', () => {
  it('before it read it is heard although the connection closes, and the address is renewed', async () => {
    const { control, uploaded, file, requests } = await start({}, me)
    await control('/scenarios/early-upload-refusal')
    const done = await uploaded(await file('notes.txt', 8_000_000))
    expect(done).toMatchObject({ state: 'done' })
    const sent = (await requests()).filter(({ method }) => method !== 'GET')
    expect(
      sent.map(({ method, path }) => `${method} ${path.replace(/(?<=^\/storage\/[^/]+)\/.*/, '')}`),
    ).toEqual([
      `POST ${collection}`,
      `PUT /storage/${done.attachmentId}`,
      `PATCH ${collection}${done.attachmentId}`,
      `PUT /storage/${done.attachmentId}`,
    ])
  })

  const refusal = (status: number, body: string) => ({
    match: { ...uploads, headers: { 'content-type': { present: true } } },
    fault: { status, body },
  })
  it.each([
    [403, '<Error><Code>SignatureDoesNotMatch</Code></Error>', 2],
    [403, '<Error><Code>AccessDenied</Code><HeadersNotSigned>content-type</HeadersNotSigned></Error>', 2],
    [400, 'Content-Type is not allowed', 2],
    [415, '', 2],
    [403, '', 3],
  ])('because of its media type gets it once more without: %i %s', async (status, body, attempts) => {
    const { control, uploaded, file, requests } = await start()
    await control('/faults', refusal(status, body))
    expect(await uploaded(await file('notes.txt', 5))).toMatchObject({ state: 'done' })
    const puts = (await requests()).filter(({ method }) => method === 'PUT')
    const types = puts.map(({ headers }) => headers['content-type'])
    expect(types).toEqual([...Array.from({ length: attempts - 1 }, () => 'text/plain'), undefined])
  })

  it('for another reason gets it no more without the media type', async () => {
    const { control, uploaded, file, requests } = await start()
    await control('/faults', refusal(403, '<Error><Code>AccessDenied</Code></Error>'))
    expect(await uploaded(await file('notes.txt', 5))).toMatchObject({ state: 'failed' })
    const puts = (await requests()).filter(({ method }) => method === 'PUT')
    expect(puts.map(({ headers }) => headers['content-type'])).toEqual(['text/plain', 'text/plain'])
  })
})

it('marks an upload whose videos a service refused, and sends the rest once more', async () => {
  const { uploaded, file, requests } = await start({ strict: true })
  expect(await uploaded(await file('notes.txt', 5), { videos: ['v1'] })).toMatchObject({
    state: 'done',
    withoutLinks: true,
  })
  const posts = (await requests()).filter(({ method }) => method === 'POST')
  expect(posts.map(({ body }) => JSON.parse(body ?? '') as unknown)).toEqual([
    { type: 'INTERNAL', title: 'notes', extension: 'txt', videos: ['v1'] },
    { type: 'INTERNAL', title: 'notes', extension: 'txt' },
  ])
})

it('replaces a link with a file only if asked to', async () => {
  const { client, transfers, file, requests, written } = await start({}, me)
  const link = await client.addLink({ title: 'Link', url: 'https://example.org/' })
  const path = await file('notes.txt', 5)
  const replaced = async (mayConvert: boolean) => {
    const about = { attachmentId: link.id, path, title: 'T', extension: '.TXT', mayConvert }
    return transfers.ended((await transfers.replace(instanceId, about)).id)
  }
  await requests()
  expect(await replaced(false)).toMatchObject({ state: 'failed', error: { code: 'attachments/not-a-file' } })
  expect(await written()).toEqual([])
  expect(await replaced(true)).toMatchObject({ state: 'done', attachmentId: link.id })
  const patch = (await requests()).find(({ method }) => method === 'PATCH')
  expect(JSON.parse(patch?.body ?? '')).toEqual({ type: 'INTERNAL', title: 'T', extension: 'txt' })
  expect(await client.show(link.id)).toMatchObject({ type: 'INTERNAL', extension: 'txt', title: 'T' })
})
