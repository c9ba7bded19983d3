import { expect, it } from 'vitest'
import { backOffMs } from './back-off'

it('doubles the wait from one second up to 30 seconds', () => {
  const middle = [1, 2, 3, 4, 5, 6, 7, 2000].map((failures) => backOffMs(failures, 0.5))
  expect(middle).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000])
})

it('adds jitter of up to a fifth', () => {
  expect(backOffMs(1, 0)).toBe(800)
  expect(backOffMs(6, 0.999)).toBeLessThan(36_000)
})
