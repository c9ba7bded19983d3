export interface HttpRequest {
  readonly method?: 'GET' | 'POST'
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as `application/x-www-form-urlencoded`. */
  readonly form?: URLSearchParams
  readonly signal?: AbortSignal
  /** The longest body that is read, in bytes after decoding; default 1 MiB. */
  readonly maxBytes?: number
  /** For the whole exchange, body included, in milliseconds; default 15 000. */
  readonly timeoutMs?: number
}

export interface HttpResponse {
  readonly url: URL
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/**
 * One HTTP exchange with limits. Redirects are not followed: a 3xx is an answer like any other, because what may
 * be followed depends on the document (see discovery).
 *
 * Throws `http/insecure-url` (plain http to a host that is not loopback, or another scheme), `http/unreachable`,
 * `http/tls-failed`, `http/timed-out`, `http/too-large`, `http/cancelled`. No error holds a header or a body.
 */
export interface HttpClient {
  send(url: URL, request?: HttpRequest): Promise<HttpResponse>
}
