import { parseJson } from '../../platform/http/lossless-json'
import type { z } from 'zod'
import { CausewayError } from '../../errors'
import type { HttpClient, HttpResponse } from '../../platform/http/http-client'
import { retryingHttp } from '../../platform/http/retrying-http'
import type { Authorization, CredentialKind } from './organization-credentials'
import { statusMessage, type StatusMessage } from './organization'
import { invalidResponse, refusal, type Subject, wantedKind } from './refusal'

export interface CallOptions {
  readonly http: HttpClient
  /** Where the service is, without a final slash. */
  readonly baseUrl: string
  /**
   * What to send as `Authorization` to an address, of this kind where it is named; rejects where the key store cannot be
   * read.
   */
  readonly authorization: (url: URL, kind?: CredentialKind) => Promise<Authorization>
}

export interface Call {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below the base address, encoded. */
  readonly path: string
  readonly json?: unknown
  readonly subject: Subject
  readonly signal?: AbortSignal | undefined
}

/** A thousand users are about 200 KB. */
const longestAnswer = 16 * 1024 * 1024

/** The calls of an organization service: one that reads is made once more where that may help, one that changes never. */
export interface Caller {
  /** The body of a 200. Throws `organizations/*` and what HttpClient throws. */
  read<T>(call: Call, schema: z.ZodType<T>): Promise<T>
  /** The StatusMessage of a change that was made, empty where the answer is. Throws as `read` does. */
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
    // Nothing was done yet, and there may be credentials of the kind that it asks for.
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
      ...(call.json === undefined ? {} : { json: call.json }),
      ...(call.signal === undefined ? {} : { signal: call.signal }),
    })
  }

  function refused(call: Call, response: HttpResponse, { kind }: Authorization): CausewayError {
    return refusal(response, parseJson(response.text), call.subject, kind)
  }

  /** A key store that cannot be read matters only to a service that asks who the caller is. */
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
