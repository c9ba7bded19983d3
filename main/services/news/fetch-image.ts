import type { lookup as systemLookup } from 'node:dns'
import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { SecureContext } from 'node:tls'
import { createAddressRules, type AddressRule } from '../../platform/http/address-rules'
import { systemTrust, type Trust } from '../../platform/http/trust'
import { userAgent } from '../../platform/http/user-agent'
import { imageKind, isOfReasonableSize, type ImageKind } from './image-type'

export interface FetchedImage {
  readonly type: ImageKind['type']
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** Fetches a picture; returns undefined if there is none that may be shown. Never throws. */
export type FetchImage = (
  image: { readonly imageUrl: string; readonly baseUrl: string },
  signal?: AbortSignal,
) => Promise<FetchedImage | undefined>

interface FetchImageOptions {
  /** Resolves host names; default: the system's resolver. */
  readonly lookup?: typeof systemLookup
  /** For the whole exchange, redirects included; default 15 000. */
  readonly timeoutMs?: number
  /** Default: the authorities that this computer trusts. */
  readonly trust?: Pick<Trust, 'secureContext'>
}

const maxBytes = 5 * 1024 * 1024
const maxRedirects = 3
const redirectStatuses = [301, 302, 303, 307, 308]

/**
 * Creates a function that fetches a picture named by the service at `baseUrl`: over https, without cookies or anything else
 * that identifies the user, at most 5 MB, only PNG, JPEG, GIF, WebP and AVIF by their bytes, and only from hosts that the
 * service may send us to (AddressRules).
 */
export function createFetchImage(options: FetchImageOptions = {}): FetchImage {
  const { timeoutMs = 15_000, trust = systemTrust } = options
  const rules = createAddressRules(options.lookup)
  /** Agents per rule, so that a rule never reuses a connection that another rule allowed. */
  const agents = new Map<AddressRule, Agents>()

  return async ({ imageUrl, baseUrl }, signal) => {
    const base = new URL(baseUrl)
    const deadline = AbortSignal.timeout(timeoutMs)
    const until = signal === undefined ? deadline : AbortSignal.any([signal, deadline])
    try {
      let url = new URL(imageUrl)
      for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
        const allowed = await rules.ruleFor('picture', url, base)
        if (allowed === undefined) return undefined
        allowed.check(url)
        const answer = await ask(url, { rule: allowed, agents: agentsOf(allowed), trust }, until)
        if (answer === undefined) return undefined
        if ('bytes' in answer) return checked(answer.bytes)
        if (!URL.canParse(answer.location, url.href)) return undefined
        const next = new URL(answer.location, url)
        if (url.protocol === 'https:' && next.protocol !== 'https:') return undefined
        url = next
      }
    } catch {
      // The page shows an empty space instead of a picture that failed to load.
    }
    return undefined
  }

  function agentsOf(rule: AddressRule): Agents {
    const kept = agents.get(rule) ?? { http: new HttpAgent(connections), https: new HttpsAgent(connections) }
    agents.set(rule, kept)
    return kept
  }
}

interface Agents {
  readonly http: HttpAgent
  readonly https: HttpsAgent
}

const connections = { keepAlive: true, maxSockets: 6, maxFreeSockets: 6, timeout: 30_000 }

type Answer = { readonly bytes: Buffer } | { readonly location: string }

async function ask(
  url: URL,
  {
    rule: { lookup },
    agents,
    trust,
  }: {
    readonly rule: AddressRule
    readonly agents: Agents
    readonly trust: Pick<Trust, 'secureContext'>
  },
  signal: AbortSignal,
): Promise<Answer | undefined> {
  const isHttps = url.protocol === 'https:'
  const trusted: { secureContext?: SecureContext } = isHttps
    ? { secureContext: await trust.secureContext() }
    : {}
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const send = isHttps ? httpsRequest : httpRequest
    const sent = send(url, {
      agent: isHttps ? agents.https : agents.http,
      lookup,
      ...trusted,
      headers: {
        accept: 'image/avif,image/webp,image/png,image/jpeg,image/gif',
        'accept-encoding': 'identity',
        'user-agent': userAgent,
      },
      signal,
    })
    sent.once('response', resolve)
    sent.once('error', reject)
    sent.end()
  })
  const location = response.headers.location
  if (redirectStatuses.includes(response.statusCode ?? 0) && location !== undefined) {
    response.destroy()
    return { location }
  }
  const bytes = response.statusCode === 200 ? await bodyOf(response) : undefined
  if (bytes === undefined) response.destroy()
  return bytes === undefined ? undefined : { bytes }
}

async function bodyOf(response: IncomingMessage): Promise<Buffer | undefined> {
  const encoding = response.headers['content-encoding'] ?? 'identity'
  if (encoding !== 'identity' || Number(response.headers['content-length'] ?? 0) > maxBytes) return undefined
  const parts: Buffer[] = []
  let length = 0
  for await (const part of response as AsyncIterable<Buffer>) {
    length += part.length
    if (length > maxBytes) return undefined
    parts.push(part)
  }
  return Buffer.concat(parts)
}

function checked(bytes: Buffer): FetchedImage | undefined {
  const kind = imageKind(bytes)
  if (kind === undefined || !isOfReasonableSize(kind)) return undefined
  return { type: kind.type, bytes: new Uint8Array(bytes) }
}
