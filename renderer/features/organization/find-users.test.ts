import { expect, it } from 'vitest'
import { findUsers, initials, isSameName } from './find-users'

const user = (login: string, role = 'Viewer') => ({ userId: '1', login, email: `${login}@example.org`, role })
const users = [user('anna', 'Admin'), user('Ólafur.Þórðarson'), user('山田太郎'), user('bram', 'Editor')]
const roleText = (role: string) => (role === 'Admin' ? 'Administrator' : role)

it.each([
  ['', 4],
  ['  ', 4],
  ['ANNA', 1],
  ['olafur', 1],
  ['山田', 1],
  ['administrator', 1],
  ['example viewer', 2],
  ['anna editor', 0],
])('findUsers finds by %j', (search, count) => {
  expect(findUsers(users, search, roleText)).toHaveLength(count)
})

it.each([
  ['anna', 'A'],
  ['Ólafur.Þórðarson', 'ÓÞ'],
  ["o'brien", 'O'],
  ['山田太郎', '山'],
  ['नेहा', 'ने'],
  ['‮<b>', 'B'],
  ['!!', '?'],
])('initials of %j are %s', (login, letters) => {
  expect(initials(login)).toBe(letters)
})

it('isSameName accepts names that look the same', () => {
  expect(isSameName(' Mock  University', 'Mock University')).toBe(true)
  expect(isSameName('Mock\u202eUniversity', 'Mock University')).toBe(true)
  expect(isSameName('mock university', 'Mock University')).toBe(false)
  expect(isSameName('', 'Mock University')).toBe(false)
})
