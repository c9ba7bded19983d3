import type { IssuedTokens } from './token-endpoint'
import type { Tokens } from './token-store'

const longestMarginMs = 30_000

/**
 * Returns whether an access token must be replaced before it is used; `now` is in milliseconds since the epoch. True in
 * the last 30 seconds of its life (a tenth of a short one), so that it doesn't expire on the way, and if the clock is
 * before the time it was obtained, when its age is unknown: one that can't be replaced is used then. A token without an expiry time
 * doesn't expire.
 */
export function isExpired(tokens: Tokens, now: number): boolean {
  if (tokens.expiresAt === undefined) return false
  const life = Math.max(0, tokens.expiresAt - tokens.obtainedAt)
  const margin = Math.min(longestMarginMs, life / 10)
  const isAgeUnknown = now < tokens.obtainedAt - longestMarginMs
  return now >= tokens.expiresAt - margin || (isAgeUnknown && tokens.refreshToken !== undefined)
}

/** Returns the tokens to store for an answer; without a new refresh token, with the previous one. */
export function tokensFrom(
  issued: IssuedTokens,
  now: number,
  before: Pick<Tokens, 'apiVersion' | 'login' | 'origins' | 'loggedInAt' | 'refreshToken' | 'refreshes'>,
): Tokens {
  const refreshToken = issued.refreshToken ?? before.refreshToken
  return {
    apiVersion: before.apiVersion,
    login: before.login,
    origins: before.origins,
    loggedInAt: before.loggedInAt,
    accessToken: issued.accessToken,
    refreshToken,
    expiresAt: issued.expiresIn === undefined ? undefined : now + issued.expiresIn * 1000,
    obtainedAt: now,
    refreshes: before.refreshes,
  }
}
