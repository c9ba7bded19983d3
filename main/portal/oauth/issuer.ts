import type { Endpoints, Instance } from '../instance/instance'

/**
 * Returns whether an `iss` of an authorization response (RFC 9207) names this instance. Discovery names no issuer, so
 * its base address, its origin, and any parent address of the authorization endpoint are accepted, with or without a
 * final slash.
 */
export function isIssuerOf(
  iss: string,
  instance: Pick<Instance, 'address'>,
  endpoints: Pick<Endpoints, 'authorizationEndpoint'>,
): boolean {
  if (!URL.canParse(iss)) return false
  const issuer = new URL(iss)
  if (issuer.search !== '' || issuer.hash !== '' || issuer.username !== '' || issuer.password !== '')
    return false
  const named = withFinalSlash(issuer.href)
  const base = new URL(instance.address)
  return (
    named === withFinalSlash(base.href) ||
    named === withFinalSlash(base.origin) ||
    endpoints.authorizationEndpoint.startsWith(named)
  )
}

function withFinalSlash(address: string): string {
  return address.endsWith('/') ? address : `${address}/`
}
