import { act, renderHook } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { useTimeAt } from './use-time-at'

const now = Date.parse('2026-11-20T12:00:00Z')
const hour = 3_600_000

it('looks again at the next change, and at least each hour', () => {
  vi.useFakeTimers({ now })
  const { result } = renderHook(() =>
    useTimeAt((time) => (time < now + 3 * hour ? now + 3 * hour : undefined)),
  )
  expect(result.current).toBe(now)
  for (const at of [1, 2, 3]) {
    expect(vi.getTimerCount()).toBe(1)
    act(() => {
      vi.advanceTimersByTime(hour - 1)
    })
    expect(result.current).toBe(now + (at - 1) * hour)
    act(() => {
      vi.advanceTimersByTime(1)
    })
    expect(result.current).toBe(now + at * hour)
  }
  expect(vi.getTimerCount()).toBe(0)
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
