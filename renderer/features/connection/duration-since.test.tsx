import { act, render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { Duration } from './duration-since'

it('ticks every second while it is shown', () => {
  vi.useFakeTimers({ now: 100_000, toFake: ['setInterval', 'clearInterval', 'Date'] })
  const { unmount } = render(<Duration since={39_000} />)
  const shown = (): string => screen.getByRole('timer').textContent
  expect(shown()).toBe('1:01')
  act(() => {
    vi.advanceTimersByTime(2000)
  })
  expect(shown()).toBe('1:03')
  unmount()
  expect(vi.getTimerCount()).toBe(0)
})
