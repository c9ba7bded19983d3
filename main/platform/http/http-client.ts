import { CausewayError } from '../../errors'
import { invalidAnswer, networkFailure, requestCancelled, timedOut } from './failure'
import { urlProblem } from '../../../contract/safe-url'
import { BodyTooLarge, readBody } from './read-body'
import type { Trust } from './trust'
import { userAgent } from './user-agent'

export interface HttpRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as `application/x-www-form-urlencoded`. */
  readonly form?: URLSearchParams
  /** Sent as `application/json`, if there is no form. */
  readonly json?: unknown
  readonly signal?: AbortSignal
  /** Maximum length of the body in bytes after decoding; default 1 MiB. */
  readonly maxBytes?: number
  /** Time limit for the whole exchange, including the body, in milliseconds; default 15 000. */
  readonly timeoutMs?: number
  /** Refuses https servers without TLS 1.3. */
  readonly tls13?: boolean
}

export interface HttpResponse {
  readonly url: URL
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/**
 * Sends HTTP requests with limits. Does not follow redirects: a 3xx is an answer, because the allowed redirects depend on
 * the document (see discovery).
 *
 * Throws `http/insecure-url` (plain http to a host other than loopback, or another scheme), `http/unreachable`,
 * `http/tls-failed`, `http/timed-out`, `http/too-large`, `http/cancelled`. Errors contain no header and no body.
 * `details.host` is the host, `details.issuer` of `http/tls-failed` the unknown authority; `details.reason` of
 * `http/unreachable` is one of `name-not-resolved`, `refused`, `reset`, `no-route`, `incomplete-answer`, `invalid-answer`,
 * `unknown`.
 */
export interface HttpClient {
  send(url: URL, request?: HttpRequest): Promise<HttpResponse>
}

type Fetch = typeof globalThis.fetch

interface HttpClientOptions {
  /** Default: a fetch that trusts the authorities that this computer trusts. */
  readonly fetch?: Fetch
  /** For requests that require TLS 1.3; default: `fetch`, else one with the same trust. */
  readonly fetchWithTls13?: Fetch
}

const defaultMaxBytes = 1024 * 1024
const defaultTimeoutMs = 15_000

/** Creates an HttpClient over fetch. */
export function createHttpClient(options: HttpClientOptions = {}): HttpClient {
  const fetch: Fetch = options.fetch ?? (async (...sent) => (await systemTrust()).fetch(...sent))
  const fetchWithTls13: Fetch =
    options.fetchWithTls13 ??
    options.fetch ??
    (async (...sent) => (await systemTrust()).fetchWithTls13(...sent))

  return {
    async send(url, request = {}) {
      refuseInsecure(url)
      const deadline = new Deadline(request.timeoutMs ?? defaultTimeoutMs, request.signal)
      const maxBytes = request.maxBytes ?? defaultMaxBytes
      let stage: 'headers' | 'body' = 'headers'
      try {
        const response = await (request.tls13 === true ? fetchWithTls13 : fetch)(url, {
          method: request.method ?? 'GET',
          headers: {
            accept: 'application/json',
            'user-agent': userAgent,
            ...(request.json === undefined ? {} : { 'content-type': 'application/json' }),
            ...lowerCased(request.headers ?? {}),
          },
          redirect: 'manual',
          signal: deadline.signal,
          ...bodyOf(request),
        })
        stage = 'body'
        if (response.status < 200 || response.status > 599) throw invalidAnswer(url)
        const announced = Number(response.headers.get('content-length'))
        const text = await readBody(response.body, announced, maxBytes)
        return { url, status: response.status, headers: response.headers, text }
      } catch (error) {
        if (error instanceof CausewayError) throw error
        if (error instanceof BodyTooLarge) throw tooLarge(url, maxBytes)
        if (request.signal?.aborted === true) throw requestCancelled()
        if (deadline.passed) throw timedOut(url)
        const { withIssuer } = await import('./certificate-issuer')
        throw await withIssuer(networkFailure(error, url, stage), url, request.signal)
      } finally {
        deadline.dispose()
      }
    },
  }
}

/** Loaded with the first request, because Node's TLS is slow to load. */
async function systemTrust(): Promise<Trust> {
  return (await import('./trust')).systemTrust
}

/** Aborts when the time is over or the caller aborts. */
class Deadline {
  passed = false
  readonly #controller = new AbortController()
  readonly #timer: NodeJS.Timeout
  readonly #caller: AbortSignal | undefined

  constructor(timeoutMs: number, caller: AbortSignal | undefined) {
    this.#caller = caller
    this.#timer = setTimeout(() => {
      this.passed = true
      this.#controller.abort()
    }, timeoutMs)
    if (caller?.aborted === true) this.#controller.abort()
    caller?.addEventListener('abort', this.#abort)
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  dispose(): void {
    clearTimeout(this.#timer)
    this.#caller?.removeEventListener('abort', this.#abort)
  }

  readonly #abort = (): void => {
    this.#controller.abort()
  }
}

function refuseInsecure(url: URL): void {
  if (urlProblem('request', url) === undefined) return
  throw new CausewayError('http/insecure-url', {
    details: { scheme: url.protocol.replace(':', ''), host: url.host },
  })
}

function tooLarge(url: URL, maxBytes: number): CausewayError {
  return new CausewayError('http/too-large', { details: { host: url.host, maxBytes } })
}

function bodyOf({ form, json }: HttpRequest): { readonly body?: URLSearchParams | string } {
  if (form !== undefined) return { body: form }
  return json === undefined ? {} : { body: JSON.stringify(json) }
}

/** Lowercases names, so that a caller's `Accept` replaces the default instead of being joined to it. */
function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
