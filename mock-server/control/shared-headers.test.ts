import { expect, it } from 'vitest'
import { type Headers, SharedHeaders } from './shared-headers'

it('returns the previous headers for equal ones, and others as they are', () => {
  const shared = new SharedHeaders<Headers>()
  const first = shared.sharedOf({ accept: '*/*', host: 'mock.test' })
  expect(shared.sharedOf({ accept: '*/*', host: 'mock.test' })).toBe(first)
  for (const other of [
    { accept: '*/*' },
    { accept: '*/*', host: 'other.test' },
    { accept: '*/*', host: 'mock.test', 'x-more': '1' },
    { accept: '*/*', hostname: 'mock.test' },
  ]) {
    shared.sharedOf(first)
    expect(shared.sharedOf(other)).toBe(other)
  }
})
