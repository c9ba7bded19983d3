import type { ApiVersion } from '../../../contract/choices'
import type { ErrorCode } from '../../../contract/error-codes'
import { CausewayError, hasCode } from '../../errors'
import type { HttpClient, HttpResponse } from '../../platform/http/http-client'
import { busy } from '../../platform/http/retrying-http'
import { isGone } from '../../platform/http/is-gone'
import { readUrl } from '../../../contract/safe-url'
import { requireTls13 } from '../../platform/http/require-tls13'
import { parseInfoDocument } from './info-document'
import { innerHostRule, type Lookup } from './inner-hosts'
import type { Endpoints } from '../instance/instance'

export interface Discovery {
  /**
   * Finds the endpoints of the instance at a base address, which ends in a slash. `wanted` is the only API version to
   * accept. Throws `discovery/*` but `discovery/invalid-address`, and `http/*`.
   */
  discover(address: string, options?: DiscoverOptions): Promise<Endpoints>
}

interface DiscoverOptions {
  readonly wanted?: ApiVersion | undefined
  /** Returns true if the instance is known to have version 3. A failure of its server doesn't change that. */
  readonly hasVersion3?: (() => Promise<boolean>) | undefined
  readonly signal?: AbortSignal | undefined
}

const maxBytes = 256 * 1024
const maxRedirects = 5
/** The documents name the first three; the other two mean the same for a GET. */
const redirectStatuses = [301, 302, 303, 307, 308]

/** The document of API version 3, at the root of the host. */
const wellKnown = '/.well-known/vpn-user-portal'

/**
 * Asks for the well-known document of version 3 first, then for info.json if the first one is missing or doesn't offer
 * version 3 (docs/portal-api.md). Where one document offers both and the portal has no TLS 1.3, version 2 is used.
 * Follows at most 5 redirects, and never away from https. Neither a document nor a redirect leads a service on the internet
 * into a private network.
 */
export function createDiscovery({
  http,
  lookup,
}: {
  readonly http: HttpClient
  /** Default: the system's. */
  readonly lookup?: Lookup
}): Discovery {
  return {
    async discover(address, { wanted, hasVersion3, signal } = {}) {
      const read = (path: string) =>
        endpointsAt(http, new URL(path, address), { wanted, hasVersion3, signal, lookup })
      if (wanted === 2) return read('info.json')
      const first = await read(wellKnown).catch((error: unknown) => {
        if (!isAboutDocument(error)) throw error
        return error
      })
      if ('apiVersion' in first && first.apiVersion === 3) return first
      try {
        const found = await read('info.json')
        if (found.apiVersion === 2 && isFailure(first) && (await hasVersion3?.()) === true) throw first
        return found
      } catch (error) {
        if ('apiVersion' in first) {
          // The first document may be the only one, and describes the service at the root of the host.
          if (hasCode(error, 'discovery/not-found') && new URL(address).pathname === '/') return first
          throw error
        }
        throw hasCode(error, ...missing) && !hasCode(first, ...missing) ? first : error
      }
    },
  }
}

/** True if the server has answered, so that another document may still be found. */
function isAboutDocument(error: unknown): error is CausewayError {
  if (!(error instanceof CausewayError)) return false
  if (error.code.startsWith('discovery/') || error.code === 'http/too-large') return true
  return error.code === 'http/unreachable' && badAnswers.includes(error.details?.reason)
}

/** False if the server says what it offers, or that there is no such document. */
function isFailure(first: Endpoints | CausewayError): first is CausewayError {
  return !('apiVersion' in first || hasCode(first, ...statements))
}

const statements: readonly ErrorCode[] = [
  'discovery/not-found',
  'discovery/no-vpn-api',
  'discovery/unsupported-version',
]

const badAnswers: readonly unknown[] = ['reset', 'incomplete-answer', 'invalid-answer']

/** Nothing at the address describes a VPN service. */
const missing: readonly ErrorCode[] = ['discovery/not-found', 'discovery/not-json']

async function endpointsAt(
  http: HttpClient,
  start: URL,
  { wanted, hasVersion3, signal, lookup }: DiscoverOptions & { readonly lookup: Lookup | undefined },
): Promise<Endpoints> {
  const { text, url, hasTls13 } = await fetchDocument(http, start, { signal, lookup })
  const mayName = innerHostRule(url, lookup)
  const found = await withoutInnerHosts(parseInfoDocument(text, url, wanted), url.host, mayName)
  if (wanted !== undefined || found.apiVersion === 2) return found
  const older = await withOldTls(http, found, { text, url, hasTls13 }, { hasVersion3, signal })
  return older === undefined ? found : withoutInnerHosts(older, url.host, mayName)
}

interface FetchOptions {
  readonly signal?: AbortSignal | undefined
  readonly lookup?: Lookup | undefined
  readonly timeoutMs?: number
  /** Returns false for a host that isn't to be asked. Default: all may be. */
  readonly mayAsk?: (url: URL) => boolean
}

/** A document; `url` is where it was, after redirects. */
interface FetchedDocument extends Pick<HttpResponse, 'url' | 'hasTls13'> {
  readonly text: string
}

/** Fetches a document with its redirects. Throws as `discover`. */
async function fetchDocument(
  http: HttpClient,
  start: URL,
  { signal, lookup, timeoutMs, mayAsk = () => true }: FetchOptions,
): Promise<FetchedDocument> {
  let url = start
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    const response = await http.send(url, { maxBytes, signal, timeoutMs })
    if (!redirectStatuses.includes(response.status))
      return { text: document(response), url, hasTls13: response.hasTls13 }
    const target = redirectTarget(response)
    // Before its name is looked up, by which others would learn who asks.
    if (!mayAsk(target))
      throw new CausewayError('discovery/invalid-redirect', { details: { host: url.host } })
    if (!(await innerHostRule(url, lookup)(target)))
      throw new CausewayError('http/private-address', { details: { host: target.host } })
    url = target
  }
  throw new CausewayError('discovery/too-many-redirects', { details: { host: start.host, maxRedirects } })
}

/** A host that was asked for a portal. */
export interface AskedHost {
  readonly host: string
  /** Absent if the host has a portal. */
  readonly problem?: CausewayError
}

/** More than this is no answer that a person waits for. */
const askTimeoutMs = 8000

/**
 * Asks these hosts of an organization for the well-known document, all at once, over https alone. A redirect is followed only
 * within the organization: nobody else is to learn who looks for its portal. Returns what each has said, in their order.
 * Throws `http/cancelled`.
 */
export async function askForPortals(
  http: HttpClient,
  hosts: readonly string[],
  {
    organization,
    ...options
  }: {
    /** The domain that all hosts are below. */
    readonly organization: string
    readonly signal?: AbortSignal | undefined
    readonly lookup?: Lookup | undefined
  },
): Promise<readonly AskedHost[]> {
  const mayAsk = ({ protocol, hostname }: URL): boolean =>
    protocol === 'https:' && `.${hostname}`.endsWith(`.${organization}`)
  return Promise.all(
    hosts.map(async (host) => {
      try {
        const start = new URL(wellKnown, `https://${host}`)
        const { text, url } = await fetchDocument(http, start, {
          ...options,
          timeoutMs: askTimeoutMs,
          mayAsk,
        })
        const ownRule = innerHostRule(url, options.lookup)
        // Don't resolve other hosts in the document; adding the portal does.
        const otherRule = innerHostRule(url, () => Promise.resolve([]))
        await withoutInnerHosts(parseInfoDocument(text, url), url.host, (named) =>
          mayAsk(named) ? ownRule(named) : otherRule(named),
        )
        // A host that leads to another one that is asked, too, is the same portal.
        return { host: hosts.includes(url.host) ? url.host : host }
      } catch (problem) {
        if (!(problem instanceof CausewayError) || problem.code === 'http/cancelled') throw problem
        return { host, problem }
      }
    }),
  )
}

/** Leaves out services at hosts that the document may not name. Throws `discovery/invalid-document` for the other endpoints. */
async function withoutInnerHosts(
  endpoints: Endpoints,
  host: string,
  mayName: (url: URL) => Promise<boolean>,
): Promise<Endpoints> {
  for (const name of ['apiBaseUri', 'authorizationEndpoint', 'tokenEndpoint'] as const) {
    const url = new URL(endpoints[name])
    if (await mayName(url)) continue
    const problems = [`${name}: ${url.host} is in a private network or on this computer`]
    throw new CausewayError('discovery/invalid-document', { details: { host, problems } })
  }
  const services: Record<string, string> = {}
  for (const [name, address] of Object.entries(endpoints.services))
    if (await mayName(new URL(address))) services[name] = address
  return { ...endpoints, services }
}

const tlsTimeoutMs = 5000

/**
 * Returns the endpoints of version 2 of a portal that has both and speaks only TLS 1.2, with which version 3 isn't used;
 * otherwise undefined. A login of version 3 isn't given up for the TLS of one network, such as a proxy's. The connection that
 * brought the document tells for its own host, so that only other hosts are asked: without a token, they refuse that.
 */
async function withOldTls(
  http: HttpClient,
  { apiBaseUri, tokenEndpoint }: Endpoints,
  { text, url: source, hasTls13 }: FetchedDocument,
  { hasVersion3, signal }: Pick<DiscoverOptions, 'hasVersion3' | 'signal'>,
): Promise<Endpoints | undefined> {
  const older = olderEndpoints(text, source)
  if (older === undefined) return undefined
  const places = new Map([tokenEndpoint, `${apiBaseUri}/info`].map((each) => [new URL(each).origin, each]))
  if (hasTls13 === true) places.delete(source.origin)
  if (places.size === 0 || (await hasVersion3?.()) === true) return undefined
  if (hasTls13 === false && places.has(source.origin)) return older
  for (const place of places.values()) {
    const url = new URL(place)
    if (url.protocol !== 'https:') continue
    try {
      await requireTls13(http).send(url, { maxBytes, timeoutMs: tlsTimeoutMs, signal })
    } catch (error) {
      // What else is wrong, the calls will tell.
      if (!(error instanceof CausewayError) || hasCode(error, 'http/cancelled')) throw error
      if (hasCode(error, 'http/tls-too-old')) return older
    }
  }
  return undefined
}

function olderEndpoints(text: string, source: URL): Endpoints | undefined {
  try {
    return parseInfoDocument(text, source, 2)
  } catch (error) {
    if (error instanceof CausewayError) return undefined
    throw error
  }
}

function document(response: HttpResponse): string {
  const { status, url } = response
  if (status === 200) return response.text
  const details = { host: url.host, status }
  if (status === 429) throw busy(response)
  if (isGone(status)) {
    throw new CausewayError('discovery/not-found', { details })
  }
  throw new CausewayError('discovery/server-error', { details })
}

function redirectTarget({ headers, url }: HttpResponse): URL {
  const location = headers.get('location')
  const target = location === null || location === '' ? 'malformed' : readUrl('redirect', location, url)
  if (target instanceof URL) return target
  if (target !== 'insecure') {
    throw new CausewayError('discovery/invalid-redirect', { details: { host: url.host } })
  }
  throw new CausewayError('discovery/insecure-redirect', {
    details: { host: url.host, target: new URL(location ?? '', url).origin },
  })
}
