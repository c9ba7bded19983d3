import { expect, it } from 'vitest'
import { median } from './median'

it.each([
  [[3], 3],
  [[5, 1, 3], 3],
  [[4, 1, 3, 2], 2.5],
])('of %j is %f', (values, expected) => {
  expect(median(values)).toBe(expected)
})

it('throws for an empty list', () => {
  expect(() => median([])).toThrow('no median')
})
