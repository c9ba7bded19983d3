import type { z } from 'zod'
import { parseJson } from '../../json'
import type { HttpClient, HttpResponse } from '../../platform/http/http-client'
import { errorObjectIn, invalidResponse, refusal } from './failures'
import { limitLists } from './limit-lists'

export interface ContentService {
  /** A client that retries a GET (main/platform/http/retrying-http.ts). */
  readonly http: HttpClient
  /** Without a final slash and without the version. */
  readonly baseUrl: string
}

/** The version of the API (content-and-organization-apis.md, section 9). */
const version = '2.3'

/** A list of 50 entries with long texts exceeds the default limit. */
const maxBytes = 8 * 1024 * 1024

/** Sends a GET. Throws the errors of `refusal`, `content/invalid-response`, and the errors of HttpClient. */
export async function read<Schema extends z.ZodType>(
  { http, baseUrl }: ContentService,
  method: string,
  parameters: URLSearchParams,
  schema: Schema,
  signal?: AbortSignal,
): Promise<z.infer<Schema>> {
  const url = methodUrl(baseUrl, method)
  url.search = parameters.toString()
  const response = await http.send(url, { maxBytes, signal })
  const parsed = schema.safeParse(limitLists(goodBody(response)))
  if (parsed.success) return parsed.data
  throw invalidResponse(response, placeOf(parsed.error.issues[0]?.path ?? []))
}

/** Sends a form once, without reading the answer, whose content is not documented. Throws the same errors as `read`. */
export async function write(
  { http, baseUrl }: ContentService,
  method: string,
  form: URLSearchParams,
  signal?: AbortSignal,
): Promise<void> {
  const url = methodUrl(baseUrl, method)
  const response = await http.send(url, { method: 'POST', form, signal })
  if (response.text === '' && response.status < 300) return
  goodBody(response)
}

/** Returns the URL of a method. The configured address may already end in the version. */
function methodUrl(baseUrl: string, method: string): URL {
  const root = baseUrl.endsWith(`/${version}`) ? baseUrl.slice(0, -version.length - 1) : baseUrl
  return new URL(`${root}/${version}/${method}`)
}

function goodBody(response: HttpResponse): unknown {
  const body = parseJson(response.text)
  if (response.status >= 400 || errorObjectIn(body) !== undefined) throw refusal(response, body)
  if (response.status >= 300 || body === undefined) throw invalidResponse(response)
  return body
}

/** Writes a path of schema names and list indexes; it contains nothing that the server wrote. */
function placeOf(path: readonly PropertyKey[]): string {
  return path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('')
}
