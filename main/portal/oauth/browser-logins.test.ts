import { expect, it } from 'vitest'
import { type BrowserLogin, BrowserLogins } from './browser-logins'

const login = (host: string): BrowserLogin => ({
  link: new URL(`https://${host}/`),
  until: 0,
  openAgain: () => Promise.resolve(),
})

it('removes a login once, and calls back after each change', () => {
  const logins = new BrowserLogins()
  let changes = 0
  logins.onChange(() => {
    changes += 1
  })
  const remove = logins.add('vpn.example.org', login('vpn.example.org'))
  expect(changes).toBe(1)
  remove()
  remove()
  expect(logins.of('vpn.example.org')).toBeUndefined()
  expect(changes).toBe(2)
})

it('keeps a later login of the same instance when the earlier one ends', () => {
  const logins = new BrowserLogins()
  const removeEarlier = logins.add('vpn.example.org', login('earlier.example.org'))
  const later = login('later.example.org')
  logins.add('vpn.example.org', later)
  removeEarlier()
  expect(logins.of('vpn.example.org')).toBe(later)
})
