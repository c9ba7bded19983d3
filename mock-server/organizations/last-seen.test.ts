import { expect, it } from 'vitest'
import { ageOf } from './organization-routes'

const now = new Date('2026-11-20T12:00:00Z')

it.each([
  ['2026-11-20T12:00:00Z', '< 1 minute'],
  ['2026-11-20T11:59:01Z', '< 1 minute'],
  ['2026-11-20T11:59:00Z', '1 minute'],
  ['2026-11-20T11:01:00Z', '59 minutes'],
  ['2026-11-20T10:00:00Z', '2 hours'],
  ['2026-11-19T12:00:00Z', '1 day'],
  ['2026-10-01T12:00:00Z', '1 month'],
  ['2016-11-20T12:00:00Z', '10 years'],
  ['2030-01-01T00:00:00Z', '< 1 minute'],
])('a user last seen at %s was seen %s ago', (time, age) => {
  expect(ageOf(time, now)).toBe(age)
})
