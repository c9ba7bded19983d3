import { createHash, timingSafeEqual } from 'node:crypto'

/** The only token that `--org-auth bearer` takes; tokens of the VPN instance are none. */
export const organizationToken = 'mock-organization-token'
/** The only user name and password that `--org-auth basic` takes. */
export const administrator = 'admin:admin'

export type AuthenticationScheme = 'bearer' | 'basic'

/** What a 401 says in `WWW-Authenticate`. */
export function challengeOf(scheme: AuthenticationScheme): string {
  return scheme === 'basic'
    ? 'Basic realm="mock organizations", charset="UTF-8"'
    : 'Bearer realm="mock organizations"'
}

function isEqual(given: Buffer, expected: string): boolean {
  const digest = (value: Buffer | string) => createHash('sha256').update(value).digest()
  return timingSafeEqual(digest(given), digest(expected))
}

/** Whether an `Authorization` header lets its caller in. The time that it takes tells nothing of what was expected. */
export function isAuthorized(scheme: AuthenticationScheme, authorization: string | undefined): boolean {
  const [, givenScheme = '', credentials = ''] = /^(\S+) +(\S+)$/.exec(authorization ?? '') ?? []
  if (givenScheme.toLowerCase() !== scheme) return false
  return scheme === 'basic'
    ? isEqual(Buffer.from(credentials, 'base64'), administrator)
    : isEqual(Buffer.from(credentials), organizationToken)
}
