import { createHash, timingSafeEqual } from 'node:crypto'

/** The only token that `--org-auth bearer` accepts; tokens of the VPN instance are refused. */
export const organizationToken = 'mock-organization-token'
/** The only user name and password that `--org-auth basic` accepts. */
export const administrator = 'admin:admin'

export type AuthenticationScheme = 'bearer' | 'basic'
/** Authentication that `--org-auth` requires. per-area: a token below /api/org, and user name and password below /api/orgs. */
export const organizationAuthentications = ['bearer', 'basic', 'per-area'] as const
export type OrganizationAuthentication = (typeof organizationAuthentications)[number]

export function challengeOf(scheme: AuthenticationScheme): string {
  return scheme === 'basic'
    ? 'Basic realm="mock organizations", charset="UTF-8"'
    : 'Bearer realm="mock organizations"'
}

function isEqual(given: Buffer, expected: string): boolean {
  const digest = (value: Buffer | string) => createHash('sha256').update(value).digest()
  return timingSafeEqual(digest(given), digest(expected))
}

/** Returns whether an `Authorization` header is valid. Comparing takes the same time for every value. */
export function isAuthorized(scheme: AuthenticationScheme, authorization: string | undefined): boolean {
  const [, givenScheme = '', credentials = ''] = /^(\S+) +(\S+)$/.exec(authorization ?? '') ?? []
  if (givenScheme.toLowerCase() !== scheme) return false
  return scheme === 'basic'
    ? isEqual(Buffer.from(credentials, 'base64'), administrator)
    : isEqual(Buffer.from(credentials), organizationToken)
}
