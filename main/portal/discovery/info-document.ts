import { z } from 'zod'
import { CausewayError } from '../../errors'
import { isLoopbackHost, isSecureUrl } from '../../platform/http/loopback'
import { printable } from '../../platform/http/printable'
import type { Endpoints } from '../instance/instance'

/** The version key of the first portals of this API; others end in `#2` too. */
const knownVersionKey = 'http://eduvpn.org/api#2'

/** The keys under which an instance names the services around its VPN (docs/services.md). */
const serviceKeys = {
  attachments: 'https://causeway.example/attachments#2.0.0',
  content: 'https://causeway.example/content#2.3',
  organizations: 'https://causeway.example/organizations#1',
} as const

const infoDocument = z.object({ api: z.record(z.string(), z.unknown()) })

/**
 * The endpoints out of an info.json that came from `source` (vpn-application-api.md, section 2). Its addresses
 * are https, or plain http on this machine where the document comes from this machine: no remote server can
 * point the app at local ones. A service entry that does not fit is left out.
 *
 * Throws `discovery/not-json`, `discovery/unsupported-version` (`details.versions`), `discovery/no-vpn-api` and
 * `discovery/invalid-document`, all with `details.host`.
 */
export function parseInfoDocument(text: string, source: URL): Endpoints {
  const document = infoDocument.safeParse(parseJson(text, source))
  if (!document.success) throw invalidDocument(document.error, source)
  const { api } = document.data
  const allowed = addressFrom(source)
  const entry = z
    .object({
      api_base_uri: allowed.refine((url) => url.search === '', 'must not contain a query'),
      authorization_endpoint: allowed,
      token_endpoint: allowed,
    })
    .safeParse(api[versionKey(Object.keys(api), source)])
  if (!entry.success) throw invalidDocument(entry.error, source)
  return {
    apiVersion: 2,
    apiBaseUri: withoutFinalSlash(entry.data.api_base_uri),
    authorizationEndpoint: entry.data.authorization_endpoint.href,
    tokenEndpoint: entry.data.token_endpoint.href,
    services: services(api, allowed),
  }
}

function parseJson(text: string, source: URL): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new CausewayError(
      'discovery/not-json',
      `${source.host} isn't a VPN service. Check the address. On a guest network, open a web page and sign in there first.`,
      { details: { host: source.host } },
    )
  }
}

function versionKey(keys: readonly string[], source: URL): string {
  const fitting = keys.filter((key) => key.endsWith('#2'))
  const key = fitting.find((candidate) => candidate === knownVersionKey) ?? fitting[0]
  if (key !== undefined) return key
  const versions = versionsOf(keys)
  if (versions.length > 0) {
    throw new CausewayError(
      'discovery/unsupported-version',
      `${source.host} offers only API version ${versions.join(', ')}, which this version of Causeway doesn't support yet. Check for a newer version of Causeway, or ask the service's administrator to offer version 2.`,
      { details: { host: source.host, versions } },
    )
  }
  const offered = keys.slice(0, 10).map((candidate) => printable(candidate, 100))
  throw new CausewayError(
    'discovery/no-vpn-api',
    `${source.host} doesn't offer a VPN that Causeway supports. Ask your organization which app works with its service.`,
    { details: { host: source.host, offered } },
  )
}

/** The versions of the VPN API that these keys name, lowest first. */
function versionsOf(keys: readonly string[]): number[] {
  const services: readonly string[] = Object.values(serviceKeys)
  const versions = keys
    .filter((key) => !services.includes(key))
    .flatMap((key) => /#(\d{1,3})$/.exec(key)?.[1] ?? [])
  return [...new Set(versions.map(Number))].sort((one, other) => one - other).slice(0, 10)
}

/** An address in the document, as a URL. */
function addressFrom(source: URL): z.ZodType<URL> {
  const localAllowed = isLoopbackHost(source.hostname)
  return z
    .string()
    .refine((text) => URL.canParse(text), { error: 'must be an absolute URL', abort: true })
    .transform((text) => new URL(text))
    .refine(
      (url) => isSecureUrl(url) && (url.protocol === 'https:' || localAllowed),
      'must start with https://',
    )
    .refine((url) => url.username === '' && url.password === '', 'must not contain a user name or password')
    .refine((url) => url.hash === '', 'must not contain a fragment')
}

function services(api: Readonly<Record<string, unknown>>, allowed: z.ZodType<URL>): Endpoints['services'] {
  const entry = z.object({ base_uri: allowed })
  return Object.fromEntries(
    Object.entries(serviceKeys).flatMap(([name, key]) => {
      const parsed = entry.safeParse(api[key])
      return parsed.success ? [[name, withoutFinalSlash(parsed.data.base_uri)]] : []
    }),
  )
}

function withoutFinalSlash(url: URL): string {
  return url.href.replace(/\/$/, '')
}

function invalidDocument(error: z.ZodError, source: URL): CausewayError {
  const problems = error.issues
    .slice(0, 10)
    .map((issue) => printable(`${issue.path.join('.')}: ${issue.message}`))
  return new CausewayError(
    'discovery/invalid-document',
    `The information that ${source.host} gives about its VPN service isn't valid. Report this to the service's administrator.`,
    { details: { host: source.host, problems } },
  )
}
