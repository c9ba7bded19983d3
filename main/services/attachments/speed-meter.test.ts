import { expect, it } from 'vitest'
import { SpeedMeter } from './speed-meter'

it('measures speed and remaining time, and adapts to a new speed within seconds', () => {
  const meter = new SpeedMeter(0)
  let last = meter.progress(0, 10_000_000, 0)
  expect(last).toEqual({ bytes: 0, totalBytes: 10_000_000 })
  for (let at = 500; at <= 3000; at += 500) last = meter.progress(at * 1000, 10_000_000, at)
  expect(last).toMatchObject({ bytesPerSecond: 1_000_000, secondsLeft: 7 })
  last = meter.progress(3_500_000, 10_000_000, 4000)
  expect(last.bytesPerSecond).toBeGreaterThan(800_000)
  expect(last.bytesPerSecond).toBeLessThan(1_000_000)
})

it('gives no remaining time without speed or total', () => {
  const meter = new SpeedMeter(0)
  expect(meter.progress(0, 100, 5000)).toEqual({ bytes: 0, totalBytes: 100, bytesPerSecond: 0 })
  expect(new SpeedMeter(0).progress(500, undefined, 1000)).toEqual({ bytes: 500, bytesPerSecond: 500 })
})
