import { expect, it } from 'vitest'
import { bytesText, timeText } from './amounts'

it.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [1000, '1 kB'],
  [34_567, '34.6 kB'],
  [999_990, '1 MB'],
  [5_000_000_000, '5 GB'],
])('%d bytes are %s', (bytes, text) => {
  expect(bytesText(bytes, 'en')).toBe(text)
})

it.each([
  [0, '1 second'],
  [11.2, '12 seconds'],
  [61, '2 minutes'],
  [7000, '2 hours'],
])('%d seconds are %s', (seconds, text) => {
  expect(timeText(seconds, 'en')).toBe(text)
})
