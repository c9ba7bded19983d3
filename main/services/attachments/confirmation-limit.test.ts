import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { CausewayError } from '../../errors'
import { requestCancelled } from '../../platform/http/failure'
import type { Attachment } from './attachment'
import type { AttachmentsClient } from './attachments-client'
import { startScriptedStorage } from './storage.testing'
import { instanceId, reaches } from './transfers.testing'

const minute = 60_000
const unavailable = () =>
  new CausewayError('attachments/unavailable', { details: { host: 'service.example', status: 503 } })

/** Resolves or rejects after a time of the fake clock, or when the signal aborts. */
function after<T>(milliseconds: number, work: () => T, signal?: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      // A rejected work rejects, too.
      void Promise.resolve().then(work).then(resolve, reject)
    }, milliseconds)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(requestCancelled())
    })
  })
}

const fail = (): never => {
  throw unavailable()
}

/** Uploads a file with a fake clock, until it waits for the confirmation of the service. */
async function confirming(
  client: Partial<AttachmentsClient>,
  ids: { readonly attachmentId?: string } = { attachmentId: 'a' },
  reach?: () => Promise<void>,
) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const url = new URL('https://storage.example/a')
  const world = await startScriptedStorage(() => ({ status: 200 }), {
    ...(reach && { reach }),
    delay: (milliseconds, signal) => after(milliseconds, () => undefined, signal),
    client: {
      list: () => Promise.resolve({ data: [], totalCount: 0, unreadable: 0 }),
      announceFile: () => Promise.resolve({ uploadUrl: url, namedBy: url, ...ids }),
      ...client,
    },
  })
  const path = join(world.folder, 'up.txt')
  await writeFile(path, 'x')
  const { id } = await world.transfers.upload(instanceId, { path })
  await reaches(world.transfers, id, ({ state }) => state === 'confirming')
  const now = () => world.transfers.all().find((transfer) => transfer.id === id)
  return { ...world, id, now }
}

describe('an upload that the service does not confirm', () => {
  it('ends as unconfirmed after five minutes', async () => {
    let asked = 0
    const { now } = await confirming({
      show: (id) => {
        asked += 1
        return Promise.resolve({ id, status: 'IN_PROGRESS' } as Attachment)
      },
    })
    await vi.advanceTimersByTimeAsync(5 * minute - 1)
    expect(now()).toMatchObject({ state: 'confirming' })
    await vi.advanceTimersByTimeAsync(1)
    expect(now()).toMatchObject({ state: 'unconfirmed', attachmentId: 'a' })
    expect(asked).toBeGreaterThan(20)
    expect(asked).toBeLessThan(40)
  })

  it('counts the time that the service takes to answer', async () => {
    const { now } = await confirming({ show: (_id, signal) => after(minute, fail, signal) })
    await vi.advanceTimersByTimeAsync(5 * minute)
    expect(now()).toMatchObject({ state: 'unconfirmed' })
  })

  it('ends in time although the service never answers, and stops asking', async () => {
    const asked: AbortSignal[] = []
    const { now } = await confirming({
      show: (_id, signal) => {
        if (signal !== undefined) asked.push(signal)
        return after(1000 * minute, fail, signal)
      },
    })
    await vi.advanceTimersByTimeAsync(5 * minute)
    expect(now()).toMatchObject({ state: 'unconfirmed' })
    expect(asked.map(({ aborted }) => aborted)).toEqual([true])
  })

  it('counts the time to identify the attachment', async () => {
    let lists = 0
    const { now } = await confirming(
      {
        list: (_query, signal) => {
          lists += 1
          const empty = { data: [], totalCount: 0, unreadable: 0 }
          return lists < 3 ? Promise.resolve(empty) : after(1000 * minute, () => empty, signal)
        },
      },
      {},
    )
    await vi.advanceTimersByTimeAsync(5 * minute)
    expect(lists).toBe(3)
    expect(now()).toMatchObject({ state: 'unconfirmed' })
  })

  it('is not a failed upload if the service cannot be reached any more', async () => {
    let uses = 0
    // The first two create and identify the attachment.
    const reach = () => ((uses += 1) > 2 ? Promise.reject(unavailable()) : Promise.resolve())
    const { transfers, id } = await confirming({}, {}, reach)
    expect(await transfers.ended(id)).toMatchObject({ state: 'unconfirmed' })
  })
})
