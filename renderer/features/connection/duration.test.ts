import { expect, it } from 'vitest'
import { formatDuration } from './duration'

it.each([
  [0, '0:00'],
  [59_999, '0:59'],
  [61_000, '1:01'],
  [3_600_000, '1:00:00'],
  [100 * 3_600_000 + 62_000, '100:01:02'],
  [-5000, '0:00'],
])('%d ms is shown as %s', (milliseconds, shown) => {
  expect(formatDuration(milliseconds)).toBe(shown)
})
