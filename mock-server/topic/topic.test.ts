import { beforeEach, expect, it, vi } from 'vitest'
import type { Persistence } from '../state/collection'
import { inMemory } from '../state/persistence'
import { SeededBytes } from '../state/seeded-bytes'
import { Topic } from './topic'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  return () => {
    vi.useRealTimers()
  }
})

class ManualTime {
  now = Date.parse('2026-11-20T12:00:00Z')
  clock = { now: () => new Date(this.now) }

  pass(seconds: number): void {
    this.now += seconds * 1000
    vi.runOnlyPendingTimers()
  }
}

/** Returns a persistence whose rows outlive the topic. */
function lasting(): Persistence {
  const rows = new Map<string, string>()
  return {
    ...inMemory,
    load: (collection) =>
      [...rows]
        .filter(([key]) => key.startsWith(`${collection}/`))
        .map(([key, json]) => [key.slice(collection.length + 1), json]),
    put: (collection, key, value) => {
      rows.set(`${collection}/${key}`, JSON.stringify(value))
    },
    remove: (collection, key) => {
      rows.delete(`${collection}/${key}`)
    },
  }
}

function topicIn(time: ManualTime, persistence: Persistence = inMemory): Topic {
  return new Topic({ clock: time.clock, persistence, ids: new SeededBytes(persistence, 'ids', 1) })
}

const about = (key: string) => ({ key, etag: '', size: 0, time: '' })

function publish(topic: Topic, ...keys: string[]): void {
  for (const key of keys) topic.enqueue(about(key))
  topic.deliverDue()
}

it('delivers every message in the order of publishing', () => {
  const topic = topicIn(new ManualTime())
  const got: string[] = []
  topic.subscribe(({ key }) => `${got.push(key)}`)
  const keys = Array.from({ length: 12 }, (_, index) => String(index))
  publish(topic, ...keys)
  expect(got).toEqual(keys)
  expect(topic.queued).toEqual([])
})

it('retries a failed delivery after growing pauses, without delaying other messages', () => {
  const time = new ManualTime()
  const topic = topicIn(time)
  const got: string[] = []
  let failures = 8
  topic.subscribe(({ key }) => {
    got.push(key)
    if (key === 'hard' && failures > 0) {
      failures -= 1
      throw new Error('not now')
    }
    return 'done'
  })
  publish(topic, 'hard', 'easy')
  expect(got).toEqual(['hard', 'easy'])
  const pauses = []
  while (topic.queued.length > 0) {
    const [waiting] = topic.queued
    const pause = ((waiting?.dueAt ?? 0) - time.now) / 1000
    pauses.push(pause)
    time.pass(pause - 0.001)
    time.pass(0.001)
  }
  expect(pauses).toEqual([1, 2, 4, 8, 16, 32, 60, 60])
  expect(got.filter((key) => key === 'hard')).toHaveLength(9)
  expect(topic.reports.at(-1)).toMatchObject({
    outcome: 'handled',
    note: 'done',
    notification: { key: 'hard' },
  })
  expect(topic.reports[0]).toMatchObject({ outcome: 'failed', note: 'not now' })
  expect(vi.getTimerCount()).toBe(0)
})

it('delivers messages that the previous process did not deliver', () => {
  const persistence = lasting()
  const time = new ManualTime()
  const before = topicIn(time, persistence)
  before.subscribe(() => 'not reached')
  before.configure({ hold: true })
  publish(before, 'one', 'two')
  before.close()

  const after = topicIn(time, persistence)
  const got: string[] = []
  after.subscribe(({ key }) => `${got.push(key)}`)
  expect(got).toEqual(['one', 'two'])
  publish(after, 'three')
  expect(got).toEqual(['one', 'two', 'three'])
  expect(topicIn(time, persistence).queued).toEqual([])
})

it('delivers held messages when the hold ends, or one by one on demand', () => {
  const time = new ManualTime()
  const topic = topicIn(time)
  const got: string[] = []
  topic.subscribe(({ key }) => `${got.push(key)}`)
  topic.configure({ hold: true })
  publish(topic, 'one', 'two', 'three')
  time.pass(3600)
  expect(got).toEqual([])
  expect(topic.deliverNow('two')).toBe(1)
  expect(topic.deliverNow('two')).toBe(0)
  topic.configure({ hold: false })
  expect(got).toEqual(['two', 'one', 'three'])
})

it('delivers delayed messages when they are due, from a timer or a call', () => {
  const time = new ManualTime()
  const topic = topicIn(time)
  const got: string[] = []
  topic.subscribe(({ key }) => `${got.push(key)}`)
  topic.configure({ delaySeconds: 10 })
  publish(topic, 'one')
  time.pass(9.999)
  expect(got).toEqual([])
  time.pass(0.001)
  expect(got).toEqual(['one'])
  publish(topic, 'two')
  time.now += 10_000
  topic.deliverDue()
  expect(got).toEqual(['one', 'two'])
})

it('delivers duplicated messages twice under one id, drops lost ones, and works normally once reverted', () => {
  const topic = topicIn(new ManualTime())
  const got: string[] = []
  topic.subscribe(({ key }) => `${got.push(key)}`)
  topic.configure({ duplicate: true })
  publish(topic, 'twice')
  topic.configure({ duplicate: false, lose: true })
  publish(topic, 'lost')
  topic.publishNow(about('insisted on'))
  topic.revertScenario()
  publish(topic, 'once')
  expect(got).toEqual(['twice', 'twice', 'insisted on', 'once'])
  expect(topic.reports.map(({ outcome }) => outcome)).toEqual([
    'handled',
    'handled',
    'lost',
    'handled',
    'handled',
  ])
  expect(topic.reports[0]?.messageId).toBe(topic.reports[1]?.messageId)
})

it('keeps the last hundred delivery reports, and nothing after a reset', () => {
  const topic = topicIn(new ManualTime())
  topic.subscribe(() => 'done')
  publish(topic, ...Array.from({ length: 105 }, (_, index) => String(index)))
  expect(topic.reports).toHaveLength(100)
  expect(topic.reports[0]?.notification.key).toBe('5')
  topic.configure({ hold: true })
  publish(topic, 'waiting')
  topic.reset()
  topic.revertScenario()
  expect([topic.reports, topic.queued]).toEqual([[], []])
})
