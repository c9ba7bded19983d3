import { urlProblem } from '../../../contract/safe-url'
import type { Endpoints, Instance } from '../instance/instance'

type OAuthEndpoints = Pick<Endpoints, 'authorizationEndpoint' | 'tokenEndpoint' | 'apiBaseUri'>

/**
 * Returns whether an `iss` of an authorization response (RFC 9207) names this instance. Discovery names no issuer, so
 * its base address and its origin are accepted, with or without a final slash. A parent address of the authorization
 * endpoint is accepted only if token endpoint and API are at the same origin. Otherwise, a service could name the login
 * page of another one, and get its code or its tokens.
 */
export function isIssuerOf(
  iss: string,
  instance: Pick<Instance, 'address'>,
  endpoints: OAuthEndpoints,
): boolean {
  if (!URL.canParse(iss)) return false
  const issuer = new URL(iss)
  const base = new URL(instance.address)
  if (urlProblem('base', issuer, base) !== undefined) return false
  const named = withFinalSlash(issuer.href)
  return (
    named === withFinalSlash(base.href) ||
    named === withFinalSlash(base.origin) ||
    (endpoints.authorizationEndpoint.startsWith(named) && isAtOneOrigin(endpoints))
  )
}

/**
 * Returns whether a callback may come without `iss`, as from older portals: the page of the login is on the instance's own
 * host, or it gets the code and the tokens itself. Otherwise, it is that of another service. This says nothing about where
 * that page sends the browser.
 */
export function mayOmitIssuer(instance: Pick<Instance, 'address'>, endpoints: OAuthEndpoints): boolean {
  const page = new URL(endpoints.authorizationEndpoint).hostname
  return (
    page === new URL(instance.address).hostname ||
    [endpoints.tokenEndpoint, endpoints.apiBaseUri].every((address) => new URL(address).hostname === page)
  )
}

/** Returns whether the page of the login, the token endpoint and the API are at the same origin. */
function isAtOneOrigin({ authorizationEndpoint, tokenEndpoint, apiBaseUri }: OAuthEndpoints): boolean {
  const { origin } = new URL(authorizationEndpoint)
  return [tokenEndpoint, apiBaseUri].every((address) => new URL(address).origin === origin)
}

function withFinalSlash(address: string): string {
  return address.endsWith('/') ? address : `${address}/`
}
