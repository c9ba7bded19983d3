import type { IssuedTokens } from './token-endpoint'
import type { Tokens } from './token-store'

const longestMarginMs = 30_000

/**
 * Whether an access token should be replaced before it is used, `now` in milliseconds since the epoch: within the
 * last 30 seconds of its life (a tenth of a short one), so that it does not expire on its way, or when the clock
 * stands before the time it was obtained, which tells nothing about its age. One that names no end does not expire.
 */
export function isExpired(tokens: Tokens, now: number): boolean {
  if (tokens.expiresAt === undefined) return false
  const margin = Math.min(longestMarginMs, (tokens.expiresAt - tokens.obtainedAt) / 10)
  return now >= tokens.expiresAt - margin || now < tokens.obtainedAt - longestMarginMs
}

/** Returns what is kept of an answer: without a new refresh token, the one before it. */
export function tokensFrom(
  issued: IssuedTokens,
  now: number,
  before: Pick<Tokens, 'login' | 'refreshToken'>,
): Tokens {
  const refreshToken = issued.refreshToken ?? before.refreshToken
  return {
    login: before.login,
    accessToken: issued.accessToken,
    ...(refreshToken === undefined ? {} : { refreshToken }),
    ...(issued.expiresIn === undefined ? {} : { expiresAt: now + issued.expiresIn * 1000 }),
    obtainedAt: now,
  }
}
