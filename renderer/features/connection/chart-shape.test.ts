import { describe, expect, it } from 'vitest'
import { areaPath, linePath, minutesShown, niceTop } from './chart-shape'

const frame = { from: 0, to: 300_000, top: 1000 }

describe('niceTop and minutesShown', () => {
  it.each([
    [0, 1000],
    [NaN, 1000],
    [999, 1000],
    [1000, 1000],
    [1001, 2000],
    [2001, 5000],
    [5_000_001, 10_000_000],
    [123_456_789, 200_000_000],
  ])('end a scale for %d at %d', (highest, top) => {
    expect(niceTop(highest)).toBe(top)
  })
})

it.each([
  [undefined, 1],
  [1_000_000, 1],
  [940_000, 1],
  [939_999, 2],
  [800_000, 5],
  [1, 5],
])('with data since %s, show %d minutes', (oldest, minutes) => {
  expect(minutesShown(oldest, 1_000_000)).toBe(minutes)
})

describe('linePath', () => {
  it('runs from left to right and upwards', () => {
    const samples = [
      { at: 298_000, value: 0 },
      { at: 299_000, value: 500 },
      { at: 300_000, value: 1000 },
    ]
    expect(linePath(samples, frame)).toBe('M298 100L299 50L300 0')
    expect(areaPath(samples, frame)).toBe('M298 100L298 100L299 50L300 0L300 100Z')
  })

  it('breaks at gaps and omits samples that are too old', () => {
    const samples = [
      { at: -1000, value: 1 },
      { at: 1000, value: 0 },
      { at: 2000, value: 0 },
      { at: 5000, value: 0 },
      { at: 8001, value: 0 },
      { at: 90_000, value: 250 },
    ]
    expect(linePath(samples, frame)).toBe('M1 100L2 100L5 100M8 100M90 75')
  })

  it('stays inside its frame, and is empty without samples', () => {
    expect(linePath([{ at: 0, value: 5000 }], frame)).toBe('M0 0')
    expect(linePath([{ at: 0, value: -5 }], frame)).toBe('M0 100')
    expect(linePath([], frame)).toBe('')
    expect(areaPath([], frame)).toBe('')
  })
})
