import { expect, it } from 'vitest'
import { currentRate } from './use-traffic'

it.each([
  [10_000, 2],
  [13_000, 2],
  [13_001, undefined],
])('at %d, the rate of 10000 is the current one: %s', (at, down) => {
  const points = [
    { at: 9000, down: 1, up: 0 },
    { at: 10_000, down: 2, up: 0 },
  ]
  expect(currentRate({ at, points })?.down).toBe(down)
})
