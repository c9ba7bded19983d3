import type { HttpClient } from './http-client'

/** Returns the same client, which refuses servers without TLS 1.3 (`http/tls-too-old`). */
export function requireTls13(http: HttpClient): HttpClient {
  return { send: (url, request) => http.send(url, { ...request, tls13: true }) }
}
