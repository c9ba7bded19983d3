import { lookup as systemLookup, type LookupAddress, type LookupOptions } from 'node:dns'
import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isLoopbackHost, isSecureUrl } from '../http/loopback'
import { userAgent } from '../http/user-agent'
import { imageKind, isOfReasonableSize, type ImageKind } from './image-type'
import { isLoopbackAddress, isPublicAddress } from './network-addresses'

export interface FetchedImage {
  readonly type: ImageKind['type']
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** Gets a picture; undefined for whatever is none that may be shown. Never throws. */
export type FetchImage = (
  image: { readonly imageUrl: string; readonly baseUrl: string },
  signal?: AbortSignal,
) => Promise<FetchedImage | undefined>

export interface FetchImageOptions {
  /** How names become addresses; default the system's way. */
  readonly lookup?: typeof systemLookup
  /** For the whole exchange, redirects included; default 15 000. */
  readonly timeoutMs?: number
}

const maxBytes = 5 * 1024 * 1024
const maxRedirects = 3
const redirectStatuses = [301, 302, 303, 307, 308]

/**
 * Fetches a picture that the service at `baseUrl` named: over https, without cookies or anything else that says who asks,
 * at most 5 MB, and only PNG, JPEG, GIF, WebP and AVIF by their bytes. A server must not reach into the user's own network
 * with it: addresses that are not public are refused, whatever name leads there, except of the service's own origin. A
 * service on this very machine may have its pictures there, also over http.
 */
export function createFetchImage(options: FetchImageOptions = {}): FetchImage {
  const { lookup = systemLookup, timeoutMs = 15_000 } = options
  const rules = {
    public: rule(lookup, isPublicAddress),
    loopbackToo: rule(lookup, (address) => isPublicAddress(address) || isLoopbackAddress(address)),
    any: rule(lookup, () => true),
  }

  return async ({ imageUrl, baseUrl }, signal) => {
    const base = new URL(baseUrl)
    const deadline = AbortSignal.timeout(timeoutMs)
    const until = signal === undefined ? deadline : AbortSignal.any([signal, deadline])
    try {
      let url = new URL(imageUrl)
      for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
        const answer = await ask(url, ruleFor(url, base), until)
        if (answer === undefined) return undefined
        if ('bytes' in answer) return checked(answer.bytes)
        if (!URL.canParse(answer.location, url.href)) return undefined
        const next = new URL(answer.location, url)
        if (url.protocol === 'https:' && next.protocol !== 'https:') return undefined
        url = next
      }
    } catch {
      // Whatever went wrong, there is no picture: the page shows a space for it.
    }
    return undefined
  }

  function ruleFor(url: URL, base: URL): Rule | undefined {
    if (!isSecureUrl(url) || url.username !== '' || url.password !== '') return undefined
    if (url.origin === base.origin) return rules.any
    if (isLoopbackHost(base.hostname)) return rules.loopbackToo
    return url.protocol === 'https:' ? rules.public : undefined
  }
}

interface Rule {
  readonly allows: (address: string) => boolean
  readonly lookup: LookupFunction
  readonly http: HttpAgent
  readonly https: HttpsAgent
}

/** With connections of its own: what one rule has connected to, another may not. */
function rule(lookup: typeof systemLookup, allows: (address: string) => boolean): Rule {
  const kept = { keepAlive: true, maxSockets: 6, maxFreeSockets: 6, timeout: 30_000 }
  return {
    allows,
    lookup: guarded(lookup, allows),
    http: new HttpAgent(kept),
    https: new HttpsAgent(kept),
  }
}

/** Looks up once, and gives to the connection only addresses that are allowed, so that no second look-up can differ. */
function guarded(lookup: typeof systemLookup, allows: (address: string) => boolean): LookupFunction {
  return (hostname, options: LookupOptions, callback) => {
    lookup(hostname, { ...options, all: true }, (error, found: LookupAddress[]) => {
      const [first, ...others] = error === null ? found.filter(({ address }) => allows(address)) : []
      if (first === undefined) callback(error ?? new Error('No address that may be asked.'), '', 4)
      else if (options.all === true) callback(null, [first, ...others])
      else callback(null, first.address, first.family)
    })
  }
}

type Answer = { readonly bytes: Buffer } | { readonly location: string }

async function ask(url: URL, allowed: Rule | undefined, signal: AbortSignal): Promise<Answer | undefined> {
  const literal = url.hostname.replace(/^\[(.*)\]$/, '$1')
  if (allowed === undefined || (isIP(literal) !== 0 && !allowed.allows(literal))) return undefined
  const isHttps = url.protocol === 'https:'
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const send = isHttps ? httpsRequest : httpRequest
    const sent = send(url, {
      agent: isHttps ? allowed.https : allowed.http,
      lookup: allowed.lookup,
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
