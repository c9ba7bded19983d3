import { expect, it } from 'vitest'
import { type Figure, goalOf, inDigits, summarize } from './figure'

const figure: Figure = { what: 'start', unit: 'ms', own: [10, 30, 20, 40, 50] }

it('has the median and the middle half of the values', () => {
  expect(summarize(figure)).toEqual({ median: 30, low: 20, high: 40, isMet: undefined })
})

it('divides within each round', () => {
  const beside = { what: 'bare', values: [10, 15, 20, 20, 10] }
  expect(summarize({ ...figure, beside })).toMatchObject({ median: 2, low: 1, high: 2 })
})

it.each([
  [{ atMost: 30 }, true, '≤ 30'],
  [{ atMost: 29 }, false, '≤ 29'],
  [{ atLeast: 30 }, true, '≥ 30'],
  [{ atLeast: 31 }, false, '≥ 31'],
] as const)('compares with the goal %j', (goal, isMet, words) => {
  expect(summarize({ ...figure, goal }).isMet).toBe(isMet)
  expect(goalOf({ ...figure, goal })).toBe(words)
})

it('misses its goal if a round has no value', () => {
  const beside = { what: 'bare', values: [] }
  expect(summarize({ ...figure, beside, goal: { atMost: 2 } }).isMet).toBe(false)
})

it.each([
  [1234.5, '1235'],
  [12.345, '12.3'],
  [0.98765, '0.988'],
])('prints %f as %s', (value, printed) => {
  expect(inDigits(value)).toBe(printed)
})
