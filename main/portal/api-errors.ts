import { z } from 'zod'
import { CausewayError } from '../errors'
import type { HttpResponse } from '../platform/http/http-client'
import { printable } from '../../contract/safe-text'
import { busy, retryAfterSeconds } from '../platform/http/retrying-http'

const errorBody = z.object({ error: z.string() })

/** Returns the server's text in `{"error": "…"}`, made safe to show; undefined if it has none. */
export function errorText(body: unknown): string | undefined {
  const parsed = errorBody.safeParse(body)
  return parsed.success ? printable(parsed.data.error) : undefined
}

/** Returns `service/busy` for status 429, `vpn-api/server-error` for a status from 500 on, else `vpn-api/refused`. */
export function refused(call: string, response: HttpResponse, error: string | undefined): CausewayError {
  const { url, status, headers } = response
  if (status === 429) return busy(response, error)
  const seconds = retryAfterSeconds(headers, Date.now())
  return new CausewayError(status >= 500 ? 'vpn-api/server-error' : 'vpn-api/refused', {
    details: {
      host: url.host,
      call,
      status,
      error,
      retryAfterSeconds: seconds,
    },
  })
}

/** Returns `vpn-api/invalid-response`. `problems` say what is wrong, without anything from the response. */
export function invalidResponse(
  call: string,
  { url, status }: HttpResponse,
  problems?: z.ZodError | readonly string[],
): CausewayError {
  const listed =
    problems instanceof z.ZodError
      ? problems.issues.slice(0, 10).map(({ path, code }) => printable(`${path.join('.')}: ${code}`, 100))
      : problems
  return new CausewayError('vpn-api/invalid-response', {
    details: { host: url.host, call, status, problems: listed },
  })
}

/** Returns `vpn-api/profile-unavailable`. `error` is the server's text. */
export function profileUnavailable({ url }: Pick<HttpResponse, 'url'>, error?: string): CausewayError {
  return new CausewayError('vpn-api/profile-unavailable', {
    details: { host: url.host, error },
  })
}
