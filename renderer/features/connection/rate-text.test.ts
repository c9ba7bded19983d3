import { expect, it } from 'vitest'
import { rateText } from './rate-text'

it.each([
  [0, 'en', '0 kB/s'],
  [40, 'en', '0 kB/s'],
  [50, 'en', '0.1 kB/s'],
  [60, 'en', '0.1 kB/s'],
  [1000, 'en', '1.0 kB/s'],
  [123_456, 'en', '123 kB/s'],
  [999_990, 'en', '1.0 MB/s'],
  [1_234_000, 'de', '1,2 MB/s'],
  [9_940_000, 'en', '9.9 MB/s'],
  [9_950_000, 'en', '10 MB/s'],
  [9_960_000, 'en', '10 MB/s'],
  [12_340_000, 'en', '12 MB/s'],
  [5e13, 'en', '50,000 GB/s'],
])('formats %d bytes a second in %s as %s', (rate, language, text) => {
  expect(rateText(rate, language).replaceAll('\u00a0', ' ')).toBe(text)
})
