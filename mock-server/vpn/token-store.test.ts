import { createHash } from 'node:crypto'
import { beforeEach, expect, it } from 'vitest'
import type { Persistence } from '../state/collection'
import { inMemory } from '../state/persistence'
import { SeededBytes } from '../state/seeded-bytes'
import { TokenStore, type IssuedTokens } from './token-store'

const codeVerifier = 'v'.repeat(43)
const request = {
  clientId: 'org.eduvpn.app.linux',
  redirectUri: 'http://127.0.0.1:40000/callback',
  scope: 'config' as const,
  state: 'state',
  codeChallenge: createHash('sha256').update(codeVerifier).digest('base64url'),
  responseMode: 'query' as const,
}
let now: number
let rows: Set<string>
let tokens: TokenStore

beforeEach(() => {
  now = Date.parse('2026-11-20T12:00:00Z')
  rows = new Set()
  const counting: Persistence = {
    ...inMemory,
    put: (collection, key) => rows.add(`${collection}/${key}`),
    remove: (collection, key) => rows.delete(`${collection}/${key}`),
  }
  tokens = new TokenStore({
    clock: { now: () => new Date(now) },
    persistence: counting,
    secrets: new SeededBytes(counting, 'secrets', 1),
  })
})

function issued(result: { ok: boolean }): IssuedTokens {
  expect(result.ok).toBe(true)
  return result as IssuedTokens
}
const redeem = (code: string) =>
  tokens.redeemCode({
    code,
    client_id: request.clientId,
    redirect_uri: request.redirectUri,
    code_verifier: codeVerifier,
  })
const logIn = () => issued(redeem(tokens.issueCode(request, 'tester')))

it('keeps no trace of ten thousand refreshes, and all of their tokens work', () => {
  const { refreshToken = '' } = logIn()
  const before = rows.size
  const first = issued(tokens.refresh(refreshToken)).accessToken
  const given = new Set([first])
  for (let round = 1; round < 10_000; round += 1) {
    given.add(issued(tokens.refresh(refreshToken)).accessToken)
  }
  expect(given.size).toBe(10_000)
  expect(tokens.authorizationOf(first)).toMatchObject({ userId: 'tester' })
  expect(rows.size).toBe(before)
})

it('forgets ended logins and unredeemed codes in time', () => {
  for (let round = 0; round < 5_000; round += 1) {
    tokens.issueCode(request, 'tester')
    now += 10_000
  }
  expect(tokens.size).toBeLessThan(300)
})

it('drops the oldest logins above a limit', () => {
  const oldest = logIn()
  for (let round = 0; round < 12_000; round += 1) {
    now += 1
    tokens.issueCode(request, 'tester')
  }
  const newest = logIn()
  expect(tokens.size).toBeLessThanOrEqual(10_000)
  expect(tokens.authorizationOf(oldest.accessToken)).toBeUndefined()
  expect(tokens.authorizationOf(newest.accessToken)).toBeDefined()
})

it('does not recognize a token that was altered anywhere, or of another kind', () => {
  const { accessToken, refreshToken = '' } = logIn()
  for (let place = 0; place < accessToken.length; place += 7) {
    const other = accessToken[place] === 'A' ? 'B' : 'A'
    const altered = `${accessToken.slice(0, place)}${other}${accessToken.slice(place + 1)}`
    expect(tokens.authorizationOf(altered), String(place)).toBeUndefined()
  }
  for (const text of ['', 'A', `${accessToken}A`, accessToken.slice(1), refreshToken, '🛰'.repeat(200)]) {
    expect(tokens.authorizationOf(text)).toBeUndefined()
  }
  expect(tokens.refreshable(accessToken)).toBeUndefined()
  expect(redeem(refreshToken)).toMatchObject({ error: 'invalid_grant' })
})

it('does not recognize tokens of another seed', () => {
  const { accessToken } = logIn()
  const other = new TokenStore({
    clock: { now: () => new Date(now) },
    persistence: inMemory,
    secrets: new SeededBytes(inMemory, 'secrets', 2),
  })
  expect(other.authorizationOf(accessToken)).toBeUndefined()
})
