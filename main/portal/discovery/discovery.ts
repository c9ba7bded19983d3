import { CausewayError, hasCode } from '../../errors'
import type { HttpClient, HttpResponse } from '../../platform/http/http-client'
import { isSecureUrl } from '../../platform/http/loopback'
import { parseInfoDocument } from './info-document'
import type { Endpoints } from '../instance/instance'

export interface Discovery {
  /**
   * The endpoints of the instance at a base address (with its final slash). Throws `discovery/*` but
   * `discovery/invalid-address`, and `http/*`.
   */
  discover(address: string, signal?: AbortSignal): Promise<Endpoints>
}

const maxBytes = 256 * 1024
const maxRedirects = 5
/** The document names the first three; the other two ask for the same of a GET. */
const redirectStatuses = [301, 302, 303, 307, 308]

/** Portals of version 3 have no info.json, and may answer there with a page to sign in (api-v3-facts.md, section 2). */
const wellKnown = '/.well-known/vpn-user-portal'

/**
 * Asks for info.json (vpn-application-api.md, section 2), following at most 5 redirects and never away from https. Where
 * there is none, or it is not JSON, the well-known document tells whether the portal is one of another version.
 */
export function createDiscovery({ http }: { readonly http: HttpClient }): Discovery {
  return {
    async discover(address, signal) {
      try {
        return await endpointsAt(http, new URL('info.json', address), signal)
      } catch (error) {
        if (!hasCode(error, 'discovery/not-found', 'discovery/not-json')) throw error
        await refuseOtherVersion(http, address, signal)
        throw error
      }
    },
  }
}

/** Throws `discovery/unsupported-version`, and `http/cancelled`; whatever else is wrong with the document says nothing. */
async function refuseOtherVersion(
  http: HttpClient,
  address: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  try {
    await endpointsAt(http, new URL(wellKnown, address), signal)
  } catch (error) {
    if (hasCode(error, 'discovery/unsupported-version', 'http/cancelled')) throw error
  }
}

async function endpointsAt(
  http: HttpClient,
  start: URL,
  signal: AbortSignal | undefined,
): Promise<Endpoints> {
  let url = start
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    const response = await http.send(url, { maxBytes, ...(signal === undefined ? {} : { signal }) })
    if (!redirectStatuses.includes(response.status)) return parseInfoDocument(document(response), url)
    url = redirectTarget(response)
  }
  throw new CausewayError(
    'discovery/too-many-redirects',
    `${start.host} redirects too many times. Check the address, or report this to the service's administrator.`,
    { details: { host: start.host, maxRedirects } },
  )
}

function document(response: HttpResponse): string {
  const { status, url } = response
  if (status === 200) return response.text
  const details = { host: url.host, status }
  if (status === 404) {
    throw new CausewayError(
      'discovery/not-found',
      `There's no VPN service at this address on ${url.host}. Check the address with your organization.`,
      { details },
    )
  }
  throw new CausewayError(
    'discovery/server-error',
    `${url.host} has an internal error (status ${status}). Try again later.`,
    { details },
  )
}

function redirectTarget({ headers, url }: HttpResponse): URL {
  const location = headers.get('location')
  if (location === null || location === '' || !URL.canParse(location, url.href)) throw invalidRedirect(url)
  const target = new URL(location, url)
  if (target.protocol !== 'https:' && target.protocol !== 'http:') throw invalidRedirect(url)
  if (target.username !== '' || target.password !== '') throw invalidRedirect(url)
  if (!isSecureUrl(target) || (url.protocol === 'https:' && target.protocol === 'http:')) {
    throw new CausewayError(
      'discovery/insecure-redirect',
      `${url.host} redirects to an address that isn't secure, so Causeway didn't follow it. Check the address, or report this to the service's administrator.`,
      { details: { host: url.host, target: target.origin } },
    )
  }
  return target
}

function invalidRedirect(url: URL): CausewayError {
  return new CausewayError(
    'discovery/invalid-redirect',
    `${url.host} redirects to an address that isn't valid. Check the address, or report this to the service's administrator.`,
    { details: { host: url.host } },
  )
}
