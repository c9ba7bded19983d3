import { hasCode } from '../errors'
import type { HttpClient, HttpRequest, HttpResponse } from './http-client'

/** What a gateway answers while what is behind it restarts. */
const passing = [502, 503, 504]

/**
 * The same client, which sends a GET once more, at once, when its connection was reset or broke off, or something in
 * front of the service answered in its place (502, 503, 504). Nothing that changes something is sent twice. An answer
 * that says when to come back (`Retry-After`) is handed over as it is.
 */
export function retryingHttp(http: HttpClient): HttpClient {
  return {
    async send(url, request) {
      if ((request?.method ?? 'GET') !== 'GET') return http.send(url, request)
      const first = await attempt(http, url, request)
      if (first !== undefined) return first
      return http.send(url, request)
    },
  }
}

/** Undefined where another attempt is worth it. */
async function attempt(
  http: HttpClient,
  url: URL,
  request: HttpRequest | undefined,
): Promise<HttpResponse | undefined> {
  try {
    const response = await http.send(url, request)
    return passing.includes(response.status) && !response.headers.has('retry-after') ? undefined : response
  } catch (error) {
    const reason = hasCode(error, 'http/unreachable') ? error.details?.reason : undefined
    if (reason === 'reset' || reason === 'incomplete-answer') return undefined
    throw error
  }
}

/** The longest wait that is believed, in seconds: a day. */
const longestWait = 86_400

/**
 * Returns in how many seconds a server wants to be asked again, where its answer says so in a number or a date (RFC 9110,
 * 10.2.3); at most a day.
 */
export function retryAfterSeconds(headers: Headers, now: number): number | undefined {
  const text = headers.get('retry-after')
  if (text === null) return undefined
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - now) / 1000)
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(0, seconds), longestWait)
}
