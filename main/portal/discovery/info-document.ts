import { z } from 'zod'
import { type ApiVersion, apiVersions } from '../../../contract/choices'
import { CausewayError } from '../../errors'
import { readUrl, type UrlProblem, type UrlPurpose } from '../../../contract/safe-url'
import { printable } from '../../../contract/safe-text'
import type { Endpoints } from '../instance/instance'

/** Newest first: where a portal offers several versions, the newest one is used. */
const newestFirst = [...apiVersions].sort((one, other) => other - one)

/** The keys under which an instance names the services around its VPN (docs/services.md). */
const serviceKeys = {
  attachments: 'https://causeway.example/attachments#2.0.0',
  content: 'https://causeway.example/content#2.3',
  organizations: 'https://causeway.example/organizations#1',
} as const

const infoDocument = z.object({ api: z.record(z.string(), z.unknown()), v: z.unknown().optional() })

/**
 * Parses a discovery document, which came from `source`: info.json, or the well-known document of version 3
 * (docs/portal-api.md). `wanted` is the only version to accept; by default the newest usable one is taken.
 *
 * Its addresses must be https, or plain http on this computer if the document comes from this computer too: a remote
 * server can't direct the app to local addresses. A service entry that isn't valid is left out.
 *
 * Throws `discovery/not-json`, `discovery/unsupported-version` (`details.versions`), `discovery/no-vpn-api` and
 * `discovery/invalid-document`, all with `details.host`.
 */
export function parseInfoDocument(text: string, source: URL, wanted?: ApiVersion): Endpoints {
  const document = infoDocument.safeParse(parseJson(text, source))
  if (!document.success) throw invalidDocument(document.error, source)
  const { api, v } = document.data
  let problem: z.ZodError | undefined
  for (const version of wanted === undefined ? newestFirst : [wanted]) {
    const key = versionKey(Object.keys(api), version)
    if (key === undefined) continue
    const entry = entrySchemas[version](source).safeParse(api[key])
    if (entry.success) {
      return {
        apiVersion: version,
        apiBaseUri: withoutFinalSlash(entry.data.base),
        authorizationEndpoint: entry.data.authorization_endpoint.href,
        tokenEndpoint: entry.data.token_endpoint.href,
        sendsIssuer: (key === portalKey(version) && sendsIssuer(v)) || undefined,
        ...(version === 3 ? messagesOf(api, source, entry.data.base) : {}),
        services: services(api, source),
      }
    }
    problem ??= entry.error
  }
  throw problem === undefined
    ? noUsableVersion(Object.keys(api), source, wanted)
    : invalidDocument(problem, source)
}

/** Version 2 of the same portal takes the same tokens, which go to no other origin. */
function messagesOf(
  api: Readonly<Record<string, unknown>>,
  source: URL,
  { origin }: URL,
): Pick<Endpoints, 'messagesBaseUri'> {
  const key = versionKey(Object.keys(api), 2)
  const entry = key === undefined ? undefined : entrySchemas[2](source).safeParse(api[key])
  return entry?.success === true && entry.data.base.origin === origin
    ? { messagesBaseUri: withoutFinalSlash(entry.data.base) }
    : {}
}

interface Entry {
  readonly base: URL
  readonly authorization_endpoint: URL
  readonly token_endpoint: URL
}

const entrySchemas: Record<ApiVersion, (source: URL) => z.ZodType<Entry>> = {
  2: (source) =>
    z
      .object({ api_base_uri: addressFrom(source, 'base'), ...loginEndpoints(source) })
      .transform(({ api_base_uri, ...rest }) => ({ base: api_base_uri, ...rest })),
  3: (source) =>
    z
      .object({ api_endpoint: addressFrom(source, 'base'), ...loginEndpoints(source) })
      .transform(({ api_endpoint, ...rest }) => ({ base: api_endpoint, ...rest })),
}

function loginEndpoints(source: URL) {
  const endpoint = addressFrom(source, 'endpoint')
  return { authorization_endpoint: endpoint, token_endpoint: endpoint }
}

/** Portals send `iss` since 3.1.0. Their version is free text, such as `3.4.1` or `3.0.0-1.fc34`; a vendor's own counts otherwise. */
function sendsIssuer(version: unknown): boolean {
  const [, major, minor] = /^(\d{1,3})\.(\d{1,3})(?!\d)/.exec(String(version)) ?? []
  if (major === undefined || minor === undefined) return false
  return Number(major) > 3 || (Number(major) === 3 && Number(minor) >= 1)
}

function parseJson(text: string, source: URL): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new CausewayError('discovery/not-json', { details: { host: source.host } })
  }
}

/** The key of this version of the API: the usual one of portals, else any other that ends in its number. */
function versionKey(keys: readonly string[], version: ApiVersion): string | undefined {
  const fitting = keys.filter((key) => key.endsWith(`#${version}`))
  return fitting.find((key) => key === portalKey(version)) ?? fitting[0]
}

function portalKey(version: ApiVersion): string {
  return `http://eduvpn.org/api#${version}`
}

function noUsableVersion(
  keys: readonly string[],
  source: URL,
  wanted: ApiVersion | undefined,
): CausewayError {
  const versions = versionsOf(keys)
  if (versions.length > 0) {
    return new CausewayError('discovery/unsupported-version', {
      variant: wanted && 'forced',
      details: { host: source.host, versions, wanted },
    })
  }
  const offered = keys.slice(0, 10).map((candidate) => printable(candidate, 100))
  return new CausewayError('discovery/no-vpn-api', { details: { host: source.host, offered } })
}

/** The versions of the VPN API that these keys name, lowest first. */
function versionsOf(keys: readonly string[]): number[] {
  const services: readonly string[] = Object.values(serviceKeys)
  const versions = keys
    .filter((key) => !services.includes(key))
    .flatMap((key) => /#(\d{1,3})$/.exec(key)?.[1] ?? [])
  return [...new Set(versions.map(Number))].sort((one, other) => one - other).slice(0, 10)
}

const problems: Readonly<Record<UrlProblem, string>> = {
  malformed: 'must be an absolute URL',
  scheme: 'must start with https://',
  insecure: 'must start with https://',
  userinfo: 'must not contain a user name or password',
  query: 'must not contain a query',
  fragment: 'must not contain a fragment',
}

/** An address in the document, as a URL. */
function addressFrom(source: URL, purpose: UrlPurpose): z.ZodType<URL> {
  return z.string().transform((text, context) => {
    const url = readUrl(purpose, text, source)
    if (url instanceof URL) return url
    context.addIssue({ code: 'custom', message: problems[url] })
    return z.NEVER
  })
}

function services(api: Readonly<Record<string, unknown>>, source: URL): Endpoints['services'] {
  const entry = z.object({ base_uri: addressFrom(source, 'endpoint') })
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
  return new CausewayError('discovery/invalid-document', { details: { host: source.host, problems } })
}
