import type { AnswerHeaders } from './answer-headers'
import { CausewayError, hasCode } from '../../errors'
import type { HttpClient, HttpRequest, HttpResponse } from './http-client'

/** Statuses of a gateway whose service is restarting. */
const temporaryStatuses = [502, 503, 504]

/**
 * Creates a client that repeats a GET once, immediately, after a reset or cut-off connection, or after an answer of a
 * gateway (502, 503, 504). Never repeats a change. Returns an answer with `Retry-After` unchanged.
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

/** Returns undefined if a second attempt may help. */
async function attempt(
  http: HttpClient,
  url: URL,
  request: HttpRequest | undefined,
): Promise<HttpResponse | undefined> {
  try {
    const response = await http.send(url, request)
    return temporaryStatuses.includes(response.status) && !response.headers.has('retry-after')
      ? undefined
      : response
  } catch (error) {
    const reason = hasCode(error, 'http/unreachable') ? error.details?.reason : undefined
    if (reason === 'reset' || reason === 'incomplete-answer') return undefined
    throw error
  }
}

/** Longer waiting times are ignored. */
const maxWaitSeconds = 86_400

/**
 * Returns the seconds until a retry from `Retry-After`, a number or a date (RFC 9110, 10.2.3). Undefined for a time in the
 * past, or more than a day away.
 */
export function retryAfterSeconds(headers: Pick<AnswerHeaders, 'get'>, now: number): number | undefined {
  const text = headers.get('retry-after') ?? ''
  const seconds = /^\d+$/.test(text) ? Number(text) : Math.ceil((Date.parse(text) - now) / 1000)
  return seconds >= 1 && seconds <= maxWaitSeconds ? seconds : undefined
}

/**
 * Returns `service/busy` for an answer with status 429, with the server's text. `details.retryAfterSeconds` if it says how long
 * to wait.
 */
export function busy(
  { url, status, headers }: Pick<HttpResponse, 'url' | 'status' | 'headers'>,
  error?: string,
): CausewayError {
  const seconds = retryAfterSeconds(headers, Date.now())
  return new CausewayError('service/busy', {
    details: { host: url.host, status, error, retryAfterSeconds: seconds },
  })
}

/** Retries never wait longer than this for a service that names a time. */
const longestWaitSeconds = 3600

/** Returns the time in milliseconds, at most an hour, that a service wants to pass before the next request. */
export function retryAfterMs(error: unknown): number {
  const seconds = error instanceof CausewayError ? error.details?.retryAfterSeconds : undefined
  return typeof seconds === 'number' ? Math.min(seconds, longestWaitSeconds) * 1000 : 0
}
