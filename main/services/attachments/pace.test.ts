import { expect, it } from 'vitest'
import { Pace } from './pace'

it('says how fast it goes and how long it still takes, and settles on a new speed within seconds', () => {
  const pace = new Pace(0)
  let last = pace.progress(0, 10_000_000, 0)
  expect(last).toEqual({ bytes: 0, totalBytes: 10_000_000 })
  for (let at = 500; at <= 3000; at += 500) last = pace.progress(at * 1000, 10_000_000, at)
  expect(last).toMatchObject({ bytesPerSecond: 1_000_000, secondsLeft: 7 })
  last = pace.progress(3_500_000, 10_000_000, 4000)
  expect(last.bytesPerSecond).toBeGreaterThan(800_000)
  expect(last.bytesPerSecond).toBeLessThan(1_000_000)
})

it('names no time for what does not move, or has no known end', () => {
  const pace = new Pace(0)
  expect(pace.progress(0, 100, 5000)).toEqual({ bytes: 0, totalBytes: 100, bytesPerSecond: 0 })
  expect(new Pace(0).progress(500, undefined, 1000)).toEqual({ bytes: 500, bytesPerSecond: 500 })
})
