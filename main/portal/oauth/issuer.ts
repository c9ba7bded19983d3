import type { Endpoints, Instance } from '../instance/instance'

/**
 * Whether an `iss` of an authorization response (RFC 9207) names this instance. info.json names no issuer, so it may
 * be the instance's base address or its origin, or any address that the authorization endpoint lies below; a
 * final slash makes no difference.
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
