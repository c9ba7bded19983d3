import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { TimeLimit } from './time-limit'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

it('aborts at the limit, with the seconds in the error', () => {
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

it('does not count while the user is in the browser, and restarts afterwards', () => {
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

it('is over, but not exceeded, when the caller aborts', () => {
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
