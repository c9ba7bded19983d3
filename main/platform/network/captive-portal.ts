import { isLoopbackHost, safeUrl } from '../../../contract/safe-url'
import { CausewayError, hasCode } from '../../errors'
import type { HttpClient } from '../http/http-client'
import type { Transport } from '../http/transport'

const timeoutMs = 3000

type GetTransport = () => Promise<Pick<Transport, 'addressRules' | 'proxyFor' | 'request'>>

/**
 * Returns true if a captive portal answers in place of the server. Asks only the server's own host, so that no third party
 * learns who uses it: over https, because a server that answers there is reached, whatever its port 80 shows; and over plain
 * http.
 */
export async function isBehindCaptivePortal(
  transport: GetTransport,
  address: URL,
  signal: AbortSignal,
): Promise<boolean> {
  if (isLoopbackHost(address.hostname)) return false
  const [secure, plain] = await Promise.all([
    answerOf(transport, new URL('/', address), signal),
    plainAnswer(transport, address, signal),
  ])
  return secure === undefined && plain !== undefined && isForeign(plain)
}

/**
 * Creates a client for which a certificate of another host is that of a captive portal, if the network also answers in the
 * server's place over plain http. Throws `network/captive-portal` then.
 */
export function noticingCaptivePortals(http: HttpClient, transport: GetTransport): HttpClient {
  return {
    send: async (url, request) => {
      try {
        return await http.send(url, request)
      } catch (error) {
        if (!hasCode(error, 'http/tls-failed') || isLoopbackHost(url.hostname)) throw error
        const answer = await plainAnswer(transport, url, request?.signal)
        // A server with a certificate in its own name may well have a page at port 80, but none that leads elsewhere.
        const isCaptive =
          answer !== undefined && isForeign(answer) && (error.details?.otherHost === true || !isPage(answer))
        throw isCaptive ? captivePortal(error) : error
      }
    },
  }
}

/**
 * Returns the page on which a network asks to sign in: the one that it sends to from the server's place, else that place itself.
 * A browser may know that a server speaks https only, and then wouldn't ask it over plain http.
 */
export async function captivePage(transport: GetTransport, address: URL, signal?: AbortSignal): Promise<URL> {
  const answer = await plainAnswer(transport, address, signal)
  const plain = new URL(`http://${address.hostname}/`)
  if (answer === undefined || !isForeign(answer)) return plain
  const { location, url } = answer
  if (location === null || !URL.canParse(location, url.href)) return plain
  return safeUrl('page', new URL(location, url).href) ?? plain
}

/** Returns the error for a network with a captive portal. */
export function captivePortal(cause: unknown): CausewayError {
  return new CausewayError('network/captive-portal', { cause })
}

interface Answer {
  readonly url: URL
  readonly status: number
  readonly location: string | null
}

function plainAnswer(
  transport: GetTransport,
  { hostname }: URL,
  signal: AbortSignal | undefined,
): Promise<Answer | undefined> {
  return answerOf(transport, new URL(`http://${hostname}/`), signal)
}

/** Sends a request that follows no redirect. Returns undefined without an answer in 3 s, or behind a proxy. */
async function answerOf(
  transport: GetTransport,
  url: URL,
  signal: AbortSignal | undefined,
): Promise<Answer | undefined> {
  const limit = AbortSignal.timeout(timeoutMs)
  try {
    const http = await transport()
    // The proxy reaches the server for us, or says why not.
    if ((await http.proxyFor(url)) !== undefined) return undefined
    const { status, headers, body } = await http.request(url, {
      method: 'GET',
      headers: {},
      rule: http.addressRules.anyAddress,
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
    })
    body.destroy()
    return { url, status, location: headers.get('location') }
  } catch {
    // The original failure has its own error.
    return undefined
  }
}

/**
 * The server redirects to https at the same host, refuses, or does not know the page; a page, or a redirect to another host,
 * comes from the network.
 */
function isForeign({ url, status, location }: Answer): boolean {
  // RFC 6585, section 6: Network Authentication Required.
  if (status === 511) return true
  if (isPage({ status })) return true
  if (status >= 400 || location === null || !URL.canParse(location, url.href)) return false
  const target = new URL(location, url)
  return target.hostname !== url.hostname || target.protocol !== 'https:'
}

function isPage({ status }: Pick<Answer, 'status'>): boolean {
  return status < 300
}
