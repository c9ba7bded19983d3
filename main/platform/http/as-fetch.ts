import type { HttpClient, HttpRequest } from './http-client'

interface FetchOptions {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly signal?: AbortSignal | undefined
}

/** Statuses whose Response must have no body, not even an empty one. */
const withoutBody = [204, 205, 304]

/**
 * Adapts an HttpClient to fetch, as far as oauth4webapi's `customFetch` needs it: GET, or POST of a form. Throws the errors
 * of HttpClient.
 */
export function asFetch(
  http: HttpClient,
  limits: Pick<HttpRequest, 'maxBytes' | 'timeoutMs'> = {},
): (url: string, options: FetchOptions) => Promise<Response> {
  return async (url, { method, headers, body, signal }) => {
    if (method !== 'GET' && method !== 'POST') throw new TypeError(`asFetch does not know ${method}`)
    if (body !== undefined && body !== null && !(body instanceof URLSearchParams)) {
      throw new TypeError('asFetch sends nothing but forms')
    }
    // The library names itself there, where every request names Causeway alone.
    const own = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'user-agent')
    const response = await http.send(new URL(url), {
      ...limits,
      method,
      headers: Object.fromEntries(own),
      form: body ?? undefined,
      signal,
    })
    return new Response(withoutBody.includes(response.status) ? null : response.text, {
      status: response.status,
      headers: [...response.headers.entries()],
    })
  }
}
