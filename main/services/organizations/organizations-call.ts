import { parseJson } from '../../json'
import type { z } from 'zod'
import { CausewayError } from '../../errors'
import type { HttpClient, HttpResponse } from '../../platform/http/http-client'
import { retryingHttp } from '../../platform/http/retrying-http'
import type { Authorization, CredentialKind } from './organization-credentials'
import { statusMessage, type StatusMessage } from './organization'
import { invalidResponse, refusal, type Subject, wantedKind } from './refusal'

export interface CallOptions {
  readonly http: HttpClient
  /** The service's base address, without a final slash. */
  readonly baseUrl: string
  /**
   * Returns the `Authorization` header for an address, of the given kind if any; rejects if the key store cannot be read.
   */
  readonly authorization: (url: URL, kind?: CredentialKind) => Promise<Authorization>
}

interface Call {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Encoded path below the base address. */
  readonly path: string
  readonly json?: unknown
  readonly subject: Subject
  readonly signal?: AbortSignal | undefined
}

/** A thousand users take about 200 KB. */
const longestAnswer = 16 * 1024 * 1024

/** Sends the calls of an organization service. Retries reads, never changes. */
interface Caller {
  /** Returns the body of a 200. Throws `organizations/*` and the errors of HttpClient. */
  read<T>(call: Call, schema: z.ZodType<T>): Promise<T>
  /** Returns the StatusMessage of a change; empty for an empty answer. Throws the same errors as `read`. */
  change(call: Call): Promise<StatusMessage>
}

export function createCaller({ http, baseUrl, authorization }: CallOptions): Caller {
  const again = retryingHttp(http)

  async function send(call: Call): Promise<HttpResponse> {
    const url = new URL(`${baseUrl}${call.path}`)
    const sent = await readAuthorization(url)
    const response = await sendWith(call, url, sent)
    if (response.status < 400) return response
    if (response.status !== 401) throw refused(call, response, sent)
    if (sent.failure !== undefined) throw sent.failure
    const wants = wantedKind(response)
    if (sent.kind === undefined || wants === undefined || wants === sent.kind)
      throw refused(call, response, sent)
    // Nothing was changed yet, and credentials of the requested kind may be stored.
    const other = await authorization(url, wants)
    if (other.header === undefined) throw refused(call, response, sent)
    const second = await sendWith(call, url, other)
    if (second.status >= 400) throw refused(call, second, other)
    return second
  }

  function sendWith(call: Call, url: URL, { header }: Authorization): Promise<HttpResponse> {
    return again.send(url, {
      method: call.method ?? 'GET',
      headers: header === undefined ? {} : { authorization: header },
      maxBytes: longestAnswer,
      json: call.json,
      signal: call.signal,
    })
  }

  function refused(call: Call, response: HttpResponse, { kind }: Authorization): CausewayError {
    return refusal(response, parseJson(response.text), call.subject, kind)
  }

  /** Defers an error of the key store, which matters only to a service that requires credentials. */
  async function readAuthorization(url: URL): Promise<Authorization & { readonly failure?: CausewayError }> {
    try {
      return await authorization(url)
    } catch (failure) {
      if (!(failure instanceof CausewayError)) throw failure
      return { failure }
    }
  }

  return {
    read: async (call, schema) => {
      const response = await send(call)
      const parsed = response.status === 200 ? schema.safeParse(parseJson(response.text)) : undefined
      if (parsed?.success !== true) throw invalidResponse(response)
      return parsed.data
    },
    change: async (call) => {
      const response = await send(call)
      const body: unknown = response.text.trim() === '' ? {} : parseJson(response.text)
      const parsed = response.status < 300 ? statusMessage.safeParse(body) : undefined
      if (parsed?.success !== true) throw invalidResponse(response)
      return parsed.data
    },
  }
}
