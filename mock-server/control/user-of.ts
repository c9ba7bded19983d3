import type { TokenStore } from '../vpn/token-store'

/** Returns the user whose credentials a request has: x-user-id, an access token, even an expired one, or Basic authentication. */
export function userOf(
  headers: Record<string, string | string[] | undefined>,
  tokens: TokenStore,
): string | undefined {
  const { 'x-user-id': userId, authorization = '' } = headers
  if (typeof userId === 'string' && userId !== '') return userId
  const [scheme = '', credentials = ''] = String(authorization).split(' ')
  if (scheme.toLowerCase() === 'bearer') return tokens.userOfToken(credentials)
  if (scheme.toLowerCase() !== 'basic') return undefined
  return Buffer.from(credentials, 'base64').toString().split(':', 1)[0]
}
