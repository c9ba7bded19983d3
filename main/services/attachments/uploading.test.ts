import { EventEmitter, once } from 'node:events'
import { appendFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { startTestMock } from '../../../mock-server/test-authority'
import type { Transfer } from './transfer'
import { instanceId, reaches, startTransfers } from './transfers.testing'

const megabyte = 1_000_000
const longMs = 30_000
/** A name with everything that the system allows in names, and its title. */
const [oddName, oddTitle] =
  process.platform === 'win32'
    ? ["Übung '1'\u2028&b;.TXT", "Übung '1' &b;"]
    : ['Übung "1"\n<b>.TXT', 'Übung "1" <b>']

function errorOf(transfer: Transfer) {
  return transfer.state === 'failed' ? transfer.error : undefined
}

describe('uploading', () => {
  it.each(['all-well', 'attachments-other-shapes', 'duplicated-upload-notification'])(
    'creates the attachment, uploads the file and confirms it: %s',
    async (scenario) => {
      const { control, uploaded, file, client, requests } = await startTransfers(await startTestMock())
      await control(`/scenarios/${scenario}`)
      const path = await file(oddName, megabyte)
      const transfer = await uploaded(path, { description: 'About', videos: ['v1'] })
      expect(transfer).toMatchObject({
        kind: 'upload',
        state: 'done',
        title: oddTitle,
        progress: { bytes: megabyte, totalBytes: megabyte },
      })
      expect(await client.show(transfer.attachmentId ?? '')).toMatchObject({
        title: oddTitle,
        description: 'About',
        extension: 'txt',
        videos: ['v1'],
      })
      const put = (await requests()).find(({ method }) => method === 'PUT')
      expect(put?.headers).toMatchObject({ 'content-length': String(megabyte), 'content-type': 'text/plain' })
      for (const name of ['authorization', 'cookie', 'transfer-encoding', 'x-user-id']) {
        expect(put?.headers).not.toHaveProperty(name)
      }
    },
    longMs,
  )

  it('uploads an empty file', async () => {
    const { uploaded, file } = await startTransfers(await startTestMock())
    const transfer = await uploaded(await file('nothing.txt', 0))
    expect(transfer).toMatchObject({ state: 'done', progress: { bytes: 0, totalBytes: 0 } })
  })

  it('rejects anything but a file with an extension before sending a request', async () => {
    const { folder, transfers, file, requests } = await startTransfers(await startTestMock())
    const refused = (request: { path: string; title?: string }) => transfers.upload(instanceId, request)
    await expect(refused({ path: folder })).rejects.toMatchObject({ code: 'attachments/file-unreadable' })
    const bare = await file('README', 5)
    await expect(refused({ path: bare })).rejects.toMatchObject({ code: 'attachments/extension-needed' })
    const named = await file('x.txt', 5)
    await expect(refused({ path: named, title: ' ' })).rejects.toMatchObject({
      code: 'attachments/invalid-request',
    })
    expect(await requests()).toEqual([])
    expect(transfers.all()).toEqual([])
  })

  it('runs two uploads at a time, and identifies each attachment although all have one name', async () => {
    const { transfers, file, client, waits } = await startTransfers(await startTestMock())
    const path = await file('same.txt', 300_000)
    let most = 0
    transfers.onChange((all) => {
      const moving = all.filter(({ state }) => state === 'transferring' || state === 'preparing')
      most = Math.max(most, moving.length)
    })
    const begun = await Promise.all([1, 2, 3, 4].map(() => transfers.upload(instanceId, { path })))
    const all = await Promise.all(begun.map(({ id }) => transfers.ended(id)))
    expect(all.map(({ state }) => state)).toEqual(['done', 'done', 'done', 'done'])
    const ids = new Set(all.map(({ attachmentId }) => attachmentId))
    expect(ids.size).toBe(4)
    for (const id of ids) expect(await client.show(id ?? '')).toMatchObject({ status: 'COMPLETED' })
    expect(most).toBe(2)
    expect(waits.every((ms) => ms >= 500)).toBe(true)
    for (const { id } of all) transfers.dismiss(id)
    expect(transfers.all()).toEqual([])
  })

  it('replaces the file of an attachment, and keeps its title', async () => {
    const { uploaded, transfers, file, client } = await startTransfers(await startTestMock())
    const { attachmentId = '' } = await uploaded(await file('one.txt', 10), { title: 'The title' })
    const path = await file('two.csv', 20)
    const { id } = await transfers.replace(instanceId, { attachmentId, path })
    expect(await transfers.ended(id)).toMatchObject({
      kind: 'replacement',
      state: 'done',
      title: 'The title',
    })
    expect(await client.show(attachmentId)).toMatchObject({ title: 'The title', extension: 'csv' })
  })
})

describe('confirmation', () => {
  it('polls with growing delays', async () => {
    const world = await startTransfers(await startTestMock())
    const { control, transfers, file, waits } = world
    await control('/scenarios/held-upload')
    const path = await file('a.txt', 10)
    const begun = await transfers.upload(instanceId, { path })
    const { attachmentId } = await reaches(transfers, begun.id, ({ state }) => state === 'confirming')
    world.onWait = () => (waits.length < 8 ? Promise.resolve() : control('/uploads/notify', { attachmentId }))
    expect(await transfers.ended(begun.id)).toMatchObject({ state: 'done' })
    expect(waits.slice(0, 7)).toEqual([500, 1000, 2000, 4000, 8000, 10_000, 10_000])
  })

  it('polls once for several files', async () => {
    const world = await startTransfers(await startTestMock())
    const { control, transfers, file, requests } = world
    await control('/uploads/notify', { hold: true })
    const paths = await Promise.all(['a.txt', 'b.txt', 'c.txt'].map((name) => file(name, 10)))
    const gate = new EventEmitter()
    world.onWait = async () => {
      await once(gate, 'open')
    }
    const begun = await Promise.all(paths.map((path) => transfers.upload(instanceId, { path })))
    for (const { id } of begun) await reaches(transfers, id, ({ state }) => state === 'confirming')
    await requests()
    world.onWait = () => control('/uploads/notify', { hold: false })
    gate.emit('open')
    for (const { id } of begun) expect((await transfers.ended(id)).state).toBe('done')
    const asked = (await requests()).map(({ method, path }) => `${method} ${path}`)
    expect(new Set(asked)).toEqual(new Set(['GET /v2.0.0/attachments/']))
    expect(asked.length).toBeLessThanOrEqual(2)
  })

  it('continues after errors of the service', async () => {
    const world = await startTransfers(await startTestMock())
    const { control, transfers, file, waits } = world
    await control('/uploads/notify', { hold: true })
    const begun = await transfers.upload(instanceId, { path: await file('a.txt', 10) })
    world.onWait = async () => {
      world.onWait = undefined
      const match = { method: 'GET', path: '/v2.0.0/attachments/*' }
      await control('/faults', { match, times: 3, fault: { status: 503 } })
      await control('/faults', { match, times: 2, fault: { malformed: true } })
      await control('/uploads/notify', { hold: false })
    }
    expect(await transfers.ended(begun.id)).toMatchObject({ state: 'done' })
    expect(waits.length).toBeGreaterThanOrEqual(3)
  })

  it('keeps the uploaded file if the transfer is cancelled while confirming', async () => {
    const { control, transfers, file, client } = await startTransfers(await startTestMock())
    await control('/scenarios/lost-upload-notification')
    const before = (await client.list()).totalCount
    const { id } = await transfers.upload(instanceId, { path: await file('a.txt', 10) })
    await reaches(transfers, id, ({ state }) => state === 'confirming')
    transfers.cancel(id)
    expect(await transfers.ended(id)).toMatchObject({ state: 'unconfirmed' })
    expect((await client.list()).totalCount).toBe(before + 1)
  })
})

describe('upload failures', () => {
  it('retries a lost connection with the same address', async () => {
    const { control, uploaded, file, waits, requests } = await startTransfers(await startTestMock())
    await control('/faults', {
      match: { method: 'PUT', path: '/storage/*' },
      times: 2,
      fault: { reset: true, afterBytes: 100_000 },
    })
    expect(await uploaded(await file('a.txt', megabyte))).toMatchObject({ state: 'done' })
    expect(waits.slice(0, 2)).toEqual([1000, 2000])
    const asked = (await requests()).filter(({ method }) => method !== 'GET')
    expect(asked.map(({ method }) => method)).toEqual(['POST', 'PUT', 'PUT', 'PUT'])
    expect(new Set(asked.slice(1).map(({ query }) => query.signature)).size).toBe(1)
  })

  it('waits as long as a busy storage asks, for an hour at most', async () => {
    const { control, uploaded, file, waits } = await startTransfers(await startTestMock())
    const match = { method: 'PUT', path: '/storage/*' }
    for (const [status, after] of [
      [503, '40'],
      [429, '7200'],
    ] as const)
      await control('/faults', { match, times: 1, fault: { status, headers: { 'retry-after': after } } })
    expect(await uploaded(await file('a.txt', 10))).toMatchObject({ state: 'done' })
    // The last fault comes first.
    expect(waits.slice(0, 2)).toEqual([3_600_000, 40_000])
  })

  it('reports an unreachable storage, and continues with the same attachment on retry', async () => {
    const { control, uploaded, transfers, file, waits, requests } = await startTransfers(
      await startTestMock(),
    )
    await control('/scenarios/storage-unreachable')
    const failed = await uploaded(await file('a.txt', 10))
    expect(errorOf(failed)).toMatchObject({ code: 'http/unreachable' })
    expect(waits).toEqual([1000, 2000, 4000])
    await control('/scenarios/all-well')
    transfers.retry(failed.id)
    expect(await transfers.ended(failed.id)).toMatchObject({
      state: 'done',
      attachmentId: failed.attachmentId,
    })
    expect((await requests()).filter(({ method }) => method === 'POST')).toHaveLength(1)
  })

  it('renews an expired address once', async () => {
    const { control, uploaded, transfers, file, requests } = await startTransfers(await startTestMock())
    await control('/scenarios/expired-upload-url')
    const failed = await uploaded(await file('a.txt', 10))
    expect(errorOf(failed)).toMatchObject({
      code: 'attachments/storage-refused',
      details: { status: 403, error: 'AccessDenied' },
    })
    expect(JSON.stringify(failed)).not.toContain('signature')
    const methods = (await requests()).map(({ method }) => method).filter((method) => method !== 'GET')
    expect(methods).toEqual(['POST', 'PUT', 'PATCH', 'PUT'])
    await control('/scenarios/all-well')
    transfers.retry(failed.id)
    expect(await transfers.ended(failed.id)).toMatchObject({
      state: 'done',
      attachmentId: failed.attachmentId,
    })
  })

  it('renews the address on a late retry, and creates a new attachment if the old one is gone', async () => {
    const { control, uploaded, transfers, file, client } = await startTransfers(await startTestMock())
    await control('/scenarios/storage-full')
    const failed = await uploaded(await file('a.txt', 10))
    expect(errorOf(failed)).toMatchObject({ code: 'attachments/storage-refused', details: { status: 507 } })
    await control('/scenarios/all-well')
    await client.remove(failed.attachmentId ?? '')
    await control('/clock', { advanceSeconds: 7200 })
    transfers.retry(failed.id)
    const done = await transfers.ended(failed.id)
    expect(done.state).toBe('done')
    expect(done.attachmentId).not.toBe(failed.attachmentId)
  })

  it('never completes a file that changes, and retries it', async () => {
    const { control, transfers, file, client } = await startTransfers(await startTestMock())
    await control('/scenarios/slow-upload')
    const path = await file('a.txt', 16 * megabyte)
    const { id } = await transfers.upload(instanceId, { path })
    await reaches(transfers, id, ({ state, progress }) => state === 'transferring' && progress.bytes > 0)
    await appendFile(path, 'x')
    await control('/scenarios/all-well')
    const failed = await transfers.ended(id)
    expect(errorOf(failed)).toMatchObject({ code: 'attachments/file-changed' })
    const { attachmentId = '' } = failed
    await expect(client.show(attachmentId)).rejects.toMatchObject({ code: 'attachments/not-found' })
    transfers.retry(id)
    expect(await transfers.ended(id)).toMatchObject({
      state: 'done',
      attachmentId,
      progress: { bytes: 16 * megabyte + 1 },
    })
  })

  it.each([
    ['/scenarios/attachments-forbidden', 'attachments/forbidden'],
    ['/scenarios/attachments-down', 'attachments/unavailable'],
    ['/scenarios/malformed-answers', 'attachments/invalid-response'],
    ['/scenarios/truncated-answers', 'http/unreachable'],
  ])(
    'reports a refusal of the service: %s',
    async (scenario, code) => {
      const { control, uploaded, file, requests } = await startTransfers(await startTestMock())
      await control(scenario)
      expect(errorOf(await uploaded(await file('a.txt', 10)))).toMatchObject({ code })
      expect((await requests()).filter(({ method }) => method === 'POST')).toHaveLength(1)
    },
    longMs,
  )
})

describe('cancelling', () => {
  it('ends an upload at once and deletes its attachment', async () => {
    const { control, transfers, file, client } = await startTransfers(await startTestMock())
    const before = (await client.list()).totalCount
    await control('/scenarios/slow-upload')
    const path = await file('a.txt', 16 * megabyte)
    const { id } = await transfers.upload(instanceId, { path })
    await reaches(transfers, id, ({ state, progress }) => state === 'transferring' && progress.bytes > 0)
    transfers.cancel(id)
    expect(await transfers.ended(id)).toMatchObject({ state: 'cancelled' })
    expect((await client.list()).totalCount).toBe(before)
    await control('/scenarios/all-well')
    transfers.retry(id)
    expect(await transfers.ended(id)).toMatchObject({ state: 'done' })
  })

  it('cancels a queued upload, and ends all uploads of a forgotten instance', async () => {
    const { control, transfers, file } = await startTransfers(await startTestMock())
    await control('/scenarios/slow-upload')
    const path = await file('a.txt', 16 * megabyte)
    // In sequence: each upload inspects its file before it joins the queue.
    const first = await transfers.upload(instanceId, { path })
    const second = await transfers.upload(instanceId, { path })
    const third = await transfers.upload(instanceId, { path })
    expect(transfers.all().map(({ id }) => id)).toEqual([first.id, second.id, third.id])
    expect(transfers.all()[2]).toMatchObject({ state: 'queued' })
    transfers.cancel(third.id)
    expect(transfers.all()[2]).toMatchObject({ state: 'cancelled' })
    await transfers.forgetInstance(instanceId)
    expect(transfers.all()).toEqual([])
    for (const { id } of [first, second]) {
      expect(() => {
        transfers.cancel(id)
      }).toThrow()
    }
  })
})
