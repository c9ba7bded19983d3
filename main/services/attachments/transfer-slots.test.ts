import { readdir } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { reaches } from './transfers.testing'
import { type Script, startScriptedStorage } from './storage.testing'
import { TransferSlots } from './transfer-slots'

const busy = { status: 503, headers: { 'retry-after': '3600' } }
const file = { status: 200, headers: { 'content-length': '3' }, body: Buffer.from('abc') }

/** Delays that end when a test says so, or when their transfer is cancelled. */
function heldDelays() {
  const ends: (() => void)[] = []
  const waits: number[] = []
  const delay = (milliseconds: number, signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      waits.push(milliseconds)
      ends.push(resolve)
      signal.addEventListener('abort', () => {
        reject(new Error('aborted'))
      })
    })
  return { delay, waits, end: (index: number) => ends[index]?.() }
}

/** A storage that is busy at the first request for `busy…`, and holds the answers for `slow…`. */
function storage() {
  const asked: string[] = []
  const held = new Map<string, () => void>()
  const script: Script = async (_request, id) => {
    const isFirst = !asked.includes(id)
    asked.push(id)
    if (id.startsWith('slow')) await new Promise<void>((resolve) => held.set(id, resolve))
    return isFirst && id.startsWith('busy') ? busy : file
  }
  return { script, asked, answer: (id: string) => held.get(id)?.() }
}

async function start() {
  const delays = heldDelays()
  const { script, asked, answer } = storage()
  const world = await startScriptedStorage(script, { delay: delays.delay })
  const { transfers, begin } = world
  const reached = (id: string, state: string) =>
    reaches(transfers, id, (transfer) => transfer.state === state)
  const ids = { one: (await begin('busy-1')).id, two: (await begin('busy-2')).id }
  await reached(ids.one, 'waiting')
  await reached(ids.two, 'waiting')
  /** Starts transfers that take both places. */
  const takeBoth = async () => {
    const slow = [await begin('slow-1', 'other.example.org'), await begin('slow-2', 'other.example.org')]
    await expect.poll(() => asked.filter((id) => id.startsWith('slow'))).toHaveLength(2)
    return slow.map(({ id }) => id)
  }
  return { ...world, ...delays, ids, asked, answer, reached, takeBoth }
}

describe('a transfer that waits for a busy storage', () => {
  it('leaves its place to the transfers of other services', async () => {
    const { begin, transfers, waits, ids, end } = await start()
    expect(waits).toEqual([3_600_000, 3_600_000])
    const other = await begin('c', 'other.example.org')
    expect(await transfers.ended(other.id)).toMatchObject({ state: 'done' })
    end(0)
    end(1)
    expect(await transfers.ended(ids.one)).toMatchObject({ state: 'done' })
    expect(await transfers.ended(ids.two)).toMatchObject({ state: 'done' })
  })

  it('queues behind those that came before its wait ended, and before those that came later', async () => {
    const { begin, transfers, ids, asked, end, answer, reached, takeBoth } = await start()
    await takeBoth()
    const before = await begin('before')
    end(0)
    await reached(ids.one, 'queued')
    const later = await begin('later')
    const from = asked.length
    answer('slow-1')
    for (const id of [before.id, ids.one, later.id]) {
      expect(await transfers.ended(id)).toMatchObject({ state: 'done' })
    }
    expect(asked.slice(from)).toEqual(['before', 'busy-1', 'later'])
    transfers.cancel(ids.two)
  })

  it('can be cancelled while it queues again, and then leaves its place in the queue', async () => {
    const { begin, transfers, folder, ids, end, answer, reached, takeBoth } = await start()
    const [slow = ''] = await takeBoth()
    end(0)
    await reached(ids.one, 'queued')
    const later = await begin('later')
    transfers.cancel(ids.one)
    expect(await transfers.ended(ids.one)).toMatchObject({ state: 'cancelled' })
    expect(transfers.all().find(({ id }) => id === later.id)).toMatchObject({ state: 'queued' })
    answer('slow-1')
    expect(await transfers.ended(slow)).toMatchObject({ state: 'done' })
    expect(await transfers.ended(later.id)).toMatchObject({ state: 'done' })
    expect((await readdir(folder)).filter((name) => name.endsWith('.part'))).toHaveLength(2)
    transfers.cancel(ids.two)
  })

  it('keeps its place in the count when it is cancelled, retried and cancelled again', async () => {
    const { transfers, ids, end, answer, reached, takeBoth } = await start()
    await takeBoth()
    end(0)
    await reached(ids.one, 'queued')
    transfers.cancel(ids.one)
    await transfers.ended(ids.one)
    transfers.retry(ids.one)
    expect(transfers.all().find(({ id }) => id === ids.one)).toMatchObject({ state: 'queued' })
    transfers.cancel(ids.one)
    transfers.retry(ids.one)
    answer('slow-1')
    answer('slow-2')
    expect(await transfers.ended(ids.one)).toMatchObject({ state: 'done' })
    transfers.cancel(ids.two)
    await transfers.ended(ids.two)
    expect(transfers.all().map(({ state }) => state)).toEqual(['done', 'cancelled', 'done', 'done'])
  })
})

describe('the slots', () => {
  it('are given in the order of the requests, without those that are cancelled', () => {
    const slots = new TransferSlots(1)
    const cancelled = new AbortController()
    const { signal } = new AbortController()
    const given: string[] = []
    const request = (name: string, by = signal) => {
      slots.request(by, () => given.push(name))
    }
    request('first')
    request('cancelled', cancelled.signal)
    request('second')
    request('third')
    cancelled.abort()
    expect(given).toEqual(['first'])
    slots.release()
    expect(given).toEqual(['first', 'second'])
    slots.release()
    slots.release()
    request('fourth')
    expect(given).toEqual(['first', 'second', 'third', 'fourth'])
  })
})
