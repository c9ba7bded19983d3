import type { AnswerHeaders } from '../../platform/http/answer-headers'
import { z } from 'zod'
import { CausewayError } from '../../errors'
import type { HttpResponse } from '../../platform/http/http-client'
import { printable } from '../../../contract/safe-text'
import { retryAfterSeconds as retryAfter } from '../../platform/http/retrying-http'

const errorObject = z.object({
  error: z.object({
    code: z.preprocess((value) => (typeof value === 'string' ? Number(value) : value), z.number()).optional(),
    message: z.string(),
  }),
})

/**
 * Returns the error object of the content API (content-and-organization-apis.md, section 2, interface A), if the body is
 * one.
 */
export function errorObjectIn(
  body: unknown,
): { readonly code?: number | undefined; readonly message: string } | undefined {
  const parsed = errorObject.safeParse(body)
  return parsed.success ? parsed.data.error : undefined
}

/**
 * Returns the error for a refusal: `content/not-found` (404), `content/unavailable` (429 and 5xx, with
 * `details.retryAfterSeconds` if the service sends it) or `content/refused`. `details.status` is the status, or the code of
 * an error object that came with a successful status; `details.error` is the server's message.
 */
export function refusal({ url, status: sent, headers }: HttpResponse, body: unknown): CausewayError {
  const errorObject = errorObjectIn(body)
  const status = sent >= 400 ? sent : (errorObject?.code ?? sent)
  const error = errorObject && (printable(errorObject.message) || undefined)
  const { host } = url
  const details = { host, status, error }
  if (status === 404) {
    return new CausewayError('content/not-found', {
      details,
    })
  }
  const retryAfterSeconds = retryAfter(headers, sentAt(headers))
  if (status === 429 || status >= 500) {
    return new CausewayError('content/unavailable', {
      details: { ...details, retryAfterSeconds },
    })
  }
  return new CausewayError('content/refused', { details })
}

/** Returns the time of the answer by the service's clock, which may differ from ours, in milliseconds. */
function sentAt(headers: AnswerHeaders): number {
  const time = Date.parse(headers.get('date') ?? '')
  return Number.isNaN(time) ? Date.now() : time
}

/** Creates the error; `where` is the path of the first wrong field, such as `[3].title`. */
export function invalidResponse({ url, status }: HttpResponse, where?: string): CausewayError {
  return new CausewayError('content/invalid-response', {
    details: { host: url.host, status, where },
  })
}
