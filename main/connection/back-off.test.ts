import { expect, it } from 'vitest'
import { backOffMs } from './back-off'

it('doubles from a second to half a minute', () => {
  const middle = [1, 2, 3, 4, 5, 6, 7, 2000].map((failures) => backOffMs(failures, 0.5))
  expect(middle).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000])
})

it('lets chance move each by a fifth, so that not everybody comes back at once', () => {
  expect(backOffMs(1, 0)).toBe(800)
  expect(backOffMs(6, 0.999)).toBeLessThan(36_000)
})
