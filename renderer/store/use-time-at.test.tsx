import { act, renderHook } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { useTimeAt } from './use-time-at'

const now = Date.parse('2026-11-20T12:00:00Z')
const hour = 3_600_000

it('looks again at the next change, and not before', () => {
  vi.useFakeTimers({ now })
  const { result } = renderHook(() =>
    useTimeAt((time) => (time < now + 3 * hour ? now + 3 * hour : undefined)),
  )
  expect(result.current).toBe(now)
  expect(vi.getTimerCount()).toBe(1)
  act(() => {
    vi.advanceTimersByTime(3 * hour - 1)
  })
  expect(result.current).toBe(now)
  act(() => {
    vi.advanceTimersByTime(1)
  })
  expect(result.current).toBe(now + 3 * hour)
  expect(vi.getTimerCount()).toBe(0)
})

it.each([
  ['the computer has slept past the change', 8 * hour],
  ['the clock was set back', -8 * hour],
])('looks again within a minute after %s', (_, jump) => {
  vi.useFakeTimers({ now })
  const { result } = renderHook(() => useTimeAt((time) => (time < now + hour ? now + hour : undefined)))
  // Timers stop meanwhile.
  vi.setSystemTime(now + jump)
  act(() => {
    vi.advanceTimersByTime(60_000)
  })
  expect(result.current).toBe(now + jump + 60_000)
})

it('looks again when the window gets the focus, while something is to change', () => {
  vi.useFakeTimers({ now })
  const { result, unmount } = renderHook(() => useTimeAt(() => now + hour))
  vi.setSystemTime(now + 1000)
  act(() => {
    window.dispatchEvent(new Event('focus'))
  })
  expect(result.current).toBe(now + 1000)
  unmount()
  expect(vi.getTimerCount()).toBe(0)
  const focus = new Event('focus')
  const looked = vi.spyOn(Date, 'now')
  window.dispatchEvent(focus)
  expect(looked).not.toHaveBeenCalled()
})
