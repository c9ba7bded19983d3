import { urlProblem } from '../../../contract/safe-url'
import { CausewayError } from '../../errors'
import type { AnswerHeaders } from './answer-headers'
import { insecureUrl, invalidAnswer, requestCancelled, timedOut } from './failure'
import type { Transport } from './transport'

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
  readonly headers: AnswerHeaders
  readonly text: string
  /** Whether the server of an https address speaks TLS 1.3; absent if that isn't known. */
  readonly hasTls13?: boolean | undefined
}

/**
 * Sends HTTP requests with limits. Does not follow redirects: a 3xx is an answer, because the allowed redirects depend on
 * the document (see discovery).
 *
 * Throws `http/insecure-url` (plain http to a host other than loopback, or another scheme), `http/unreachable`,
 * `http/tls-failed`, `http/timed-out`, `http/too-large`, `http/proxy-authentication`, `http/cancelled`. Errors contain no header and no body. `details.host` is the host, `details.issuer` of
 * `http/tls-failed` the unknown authority; `details.reason` of `http/unreachable` is one of `name-not-resolved`, `refused`,
 * `reset`, `no-route`, `proxy`, `incomplete-answer`, `invalid-answer`, `unknown`.
 */
export interface HttpClient {
  send(url: URL, request?: HttpRequest): Promise<HttpResponse>
}

const defaultMaxBytes = 1024 * 1024
const defaultTimeoutMs = 15_000

/** Creates an HttpClient. Without a transport, it loads one of its own with the first request. */
export function createHttpClient(
  transport: () => Promise<Pick<Transport, 'addressRules' | 'request' | 'failure'>> = async () =>
    new (await import('./transport')).Transport(),
): HttpClient {
  let loaded: Awaited<ReturnType<typeof transport>> | undefined
  return {
    async send(url, request = {}) {
      if (urlProblem('request', url) !== undefined) throw insecureUrl(url)
      const { maxBytes = defaultMaxBytes, timeoutMs = defaultTimeoutMs } = request
      let stage: 'headers' | 'body' = 'headers'
      // Not the promise: a load that failed once would fail all later requests.
      const http = (loaded ??= await transport())
      const rule = http.addressRules.anyAddress
      const deadline = new Deadline(timeoutMs, request.signal)
      try {
        const { status, headers, body, hasTls13 } = await http.request(url, {
          method: request.method ?? 'GET',
          ...contentOf(request),
          signal: deadline.signal,
          rule,
          decodes: true,
          minVersion: request.tls13 === true ? 'TLSv1.3' : undefined,
        })
        stage = 'body'
        try {
          if (status < 200 || status > 599) throw invalidAnswer(url)
          const isTooLong = Number(headers.get('content-length')) > maxBytes
          const text = isTooLong ? undefined : await textOf(body, maxBytes)
          if (text === undefined)
            throw new CausewayError('http/too-large', { details: { host: url.host, maxBytes } })
          return { url, status, headers, text, hasTls13 }
        } finally {
          body.destroy()
        }
      } catch (error) {
        if (error instanceof CausewayError) throw error
        if (request.signal?.aborted === true) throw requestCancelled(url)
        if (deadline.passed) throw timedOut(url)
        throw await http.failure(error, url, { stage, rule, signal: request.signal })
      } finally {
        deadline.dispose()
      }
    },
  }
}

/**
 * Reads a body to its end as UTF-8; invalid bytes become U+FFFD, so that the parser of the document rejects them. Returns
 * undefined as soon as more than `maxBytes` (after decompression) are received.
 */
async function textOf(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string | undefined> {
  const decoder = new TextDecoder()
  let text = ''
  let length = 0
  for await (const chunk of body) {
    length += chunk.byteLength
    if (length > maxBytes) return undefined
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
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

/** A caller's `Accept` replaces the default. */
function contentOf({ headers = {}, form, json }: HttpRequest): {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
} {
  const types = {
    accept: 'application/json',
    'accept-encoding': 'gzip, deflate, br',
    ...(form !== undefined && { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' }),
    ...(form === undefined && json !== undefined && { 'content-type': 'application/json' }),
  }
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const)
  return {
    headers: { ...types, ...Object.fromEntries(named) },
    body: form?.toString() ?? (json === undefined ? undefined : JSON.stringify(json)),
  }
}
