import { expect, it } from 'vitest'
import { timeLeftText } from './time-left'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

it.each([
  [89 * day + 23 * hour, '89 days 23 hours'],
  [day + hour, '1 day 1 hour'],
  [day - 1, '23 hours 59 minutes'],
  [hour + minute, '1 hour 1 minute'],
  [59 * minute, '59 minutes'],
  [1, 'less than a minute'],
  [0, 'over'],
])('formats %d ms left as "%s"', (left, words) => {
  expect(timeLeftText(left)).toBe(words)
})
