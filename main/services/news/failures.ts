import { z } from 'zod'
import { CausewayError } from '../../errors'
import type { HttpResponse } from '../../platform/http/http-client'
import { printable } from '../../platform/http/printable'
import { retryAfterSeconds as retryAfter } from '../../platform/http/retrying-http'
import { unavailable } from '../../platform/http/unavailable'

const errorObject = z.object({
  error: z.object({
    code: z.preprocess((value) => (typeof value === 'string' ? Number(value) : value), z.number()).optional(),
    message: z.string(),
  }),
})

/** The error object of the content API (content-and-organization-apis.md, section 2, interface A), where it is one. */
export function errorObjectIn(
  body: unknown,
): { readonly code?: number | undefined; readonly message: string } | undefined {
  const parsed = errorObject.safeParse(body)
  return parsed.success ? parsed.data.error : undefined
}

/**
 * The error for an answer that is a refusal: `content/not-found` (404), `content/unavailable` (429 and 5xx, with
 * `details.retryAfterSeconds` where the service says it) or `content/refused`. `details.status` is the status, or the
 * code of an error object that came with a good status; `details.error` the server's words.
 */
export function refusal({ url, status: sent, headers }: HttpResponse, body: unknown): CausewayError {
  const told = errorObjectIn(body)
  const status = sent >= 400 ? sent : (told?.code ?? sent)
  const error = told === undefined ? undefined : printable(told.message)
  const words = error === undefined || error === '' ? '' : ` (“${error}”)`
  const { host } = url
  const details = { host, status, ...(words === '' ? {} : { error }) }
  if (status === 404) {
    return new CausewayError(
      'content/not-found',
      `${host} couldn't find this${words}. Check the number or the address.`,
      {
        details,
      },
    )
  }
  const retryAfterSeconds = retryAfter(headers, sentAt(headers))
  const later = unavailable(status, retryAfterSeconds)
  if (later !== undefined) {
    return new CausewayError(
      'content/unavailable',
      `${host} ${later.what}${words}, status ${status}. ${later.todo}`,
      { details: { ...details, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) } },
    )
  }
  return new CausewayError(
    'content/refused',
    `${host} refused the request${words}, status ${status}. Ask your organization whether you have access to it.`,
    { details },
  )
}

/** When the answer was sent by the service's own clock, where it says so, in milliseconds: clocks differ. */
function sentAt(headers: Headers): number {
  const time = Date.parse(headers.get('date') ?? '')
  return Number.isNaN(time) ? Date.now() : time
}

/** `where` is the place of the first wrong field, such as `[3].title`. */
export function invalidResponse({ url, status }: HttpResponse, where?: string): CausewayError {
  return new CausewayError(
    'content/invalid-response',
    `The news service's response from ${url.host} isn't valid. Check the service's address. If it's correct, report this to the service's administrator.`,
    { details: { host: url.host, status, ...(where === undefined ? {} : { where }) } },
  )
}
