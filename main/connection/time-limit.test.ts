import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { TimeLimit } from './time-limit'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

it('stops what takes too long, and says so in seconds', () => {
  const limit = new TimeLimit(20_000, new AbortController().signal)
  vi.advanceTimersByTime(19_999)
  expect(limit.signal.aborted).toBe(false)
  vi.advanceTimersByTime(1)
  expect(limit.signal.aborted).toBe(true)
  expect(limit.exceeded).toBe(true)
  expect(() => {
    limit.throwIfOver()
  }).toThrow('after 20 seconds')
})

it.each([
  [1000, '1 second'],
  [600_000, '10 minutes'],
])('names a wait of %i ms in words', (milliseconds, words) => {
  const limit = new TimeLimit(milliseconds, new AbortController().signal)
  limit.pause()
  expect(limit.error().message).toContain(`after ${words}. `)
})

it('does not count while a person is at the browser, and starts anew afterwards', () => {
  const limit = new TimeLimit(1000, new AbortController().signal)
  vi.advanceTimersByTime(900)
  limit.pause()
  vi.advanceTimersByTime(300_000)
  limit.resume()
  vi.advanceTimersByTime(900)
  limit.resume()
  expect(limit.exceeded).toBe(false)
  vi.advanceTimersByTime(100)
  expect(limit.exceeded).toBe(true)
})

it('is over, but not exceeded, when the caller gives up', () => {
  const abort = new AbortController()
  const limit = new TimeLimit(1000, abort.signal)
  abort.abort()
  expect([limit.over, limit.exceeded]).toEqual([true, false])
  expect(() => {
    limit.throwIfOver()
  }).toThrow(abort.signal.reason as Error)
  limit.pause()
  expect(vi.getTimerCount()).toBe(0)
})
