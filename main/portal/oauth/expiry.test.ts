import { describe, expect, it } from 'vitest'
import { isExpired, tokensFrom } from './expiry'

const minute = 60_000
const login = {
  apiVersion: 2 as const,
  login: 'one',
  origins: { token: 'https://vpn.example.org', api: 'https://vpn.example.org' },
  loggedInAt: 0,
  refreshes: 0,
}
const hourLong = {
  ...login,
  accessToken: 'a',
  obtainedAt: 0,
  expiresAt: 60 * minute,
}

describe('isExpired', () => {
  it.each([
    ['an hour’s token half a minute before its end', hourLong, 59.4 * minute, false],
    ['an hour’s token so close to its end that it could expire on its way', hourLong, 59.5 * minute, true],
    ['an hour’s token after its end', hourLong, 61 * minute, true],
    ['a token of five seconds, fresh', { ...hourLong, expiresAt: 5000 }, 4400, false],
    ['a token of five seconds, at its end', { ...hourLong, expiresAt: 5000 }, 4600, true],
    ['a token that names no end', { ...login, accessToken: 'a', obtainedAt: 0 }, 1e12, false],
    [
      'a token from the future, because the clock was wrong',
      { ...hourLong, refreshToken: 'r', obtainedAt: 2 * minute },
      0,
      true,
    ],
    ['one from the future that cannot be replaced', { ...hourLong, obtainedAt: 2 * minute }, 0, false],
    ['a token from a moment ahead, because the clock was set', { ...hourLong, obtainedAt: 2000 }, 0, false],
  ])('%s', (_name, tokens, now, expired) => {
    expect(isExpired(tokens, now)).toBe(expired)
  })
})

describe('tokensFrom', () => {
  it('keeps the refresh token if the answer has no new one', () => {
    const before = {
      ...login,
      accessToken: 'a',
      refreshToken: 'old',
      obtainedAt: 0,
    }
    expect(tokensFrom({ accessToken: 'b', expiresIn: 60 }, 1000, before)).toEqual({
      ...login,
      accessToken: 'b',
      refreshToken: 'old',
      expiresAt: 61_000,
      obtainedAt: 1000,
    })
  })

  it('uses the new refresh token of the answer', () => {
    const before = {
      ...login,
      accessToken: 'a',
      refreshToken: 'old',
      obtainedAt: 0,
    }
    expect(tokensFrom({ accessToken: 'b', refreshToken: 'new' }, 1000, before)).toEqual({
      ...login,
      accessToken: 'b',
      refreshToken: 'new',
      obtainedAt: 1000,
    })
  })
})
