import { expect, it } from 'vitest'
import { durationText } from './duration-text'

it.each([
  [0, '0 seconds'],
  [1, '1 second'],
  [90, '90 seconds'],
  [120, '2 minutes'],
  [3600, '60 minutes'],
  [86_400, '24 hours'],
  [7 * 86_400, '7 days'],
  [2_300_894_574, '26,631 days'],
])('says %i seconds as %s', (seconds, text) => {
  expect(durationText(seconds)).toBe(text)
})
