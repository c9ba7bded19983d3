import { hasCode } from '../../errors'
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

/** A time that nobody can be told to wait for. */
const longestWaitSeconds = 86_400

/**
 * In how many seconds a server wants to be asked again, where its answer says so in a number or a date (RFC 9110, 10.2.3).
 * Undefined where that is now, or more than a day away.
 */
export function retryAfterSeconds(headers: Headers, now: number): number | undefined {
  const text = headers.get('retry-after') ?? ''
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - now) / 1000)
  return seconds >= 1 && seconds <= longestWaitSeconds ? seconds : undefined
}
