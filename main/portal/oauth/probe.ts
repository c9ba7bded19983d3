import { parseJson } from '../../json'
import { calculatePKCECodeChallenge, generateRandomCodeVerifier, generateRandomState } from 'oauth4webapi'
import { z } from 'zod'
import { CausewayError } from '../../errors'
import type { HttpClient, HttpResponse } from '../../platform/http/http-client'
import { printable } from '../../../contract/printable'
import type { Instance } from '../instance/instance'

const timeoutMs = 3000
const maxBytes = 256 * 1024

/** The errors of an authorization request that don't need a login (RFC 6749, 4.1.2.1 and 5.2). */
const errors = [
  'invalid_client',
  'unauthorized_client',
  'invalid_request',
  'unsupported_response_type',
  'invalid_scope',
]
const unknownClient = ['invalid_client', 'unauthorized_client']
const errorBody = z.object({ error: z.string() })

/**
 * Sends the authorization request before the browser does, so that Causeway can explain a refusal instead of showing an
 * error page. It has its own state and challenge, so that a code in the answer would be useless.
 *
 * Throws `oauth/client-refused` if the client isn't registered, `oauth/authorization-failed` for other refusals. Any other
 * answer, or none within three seconds, is ignored: many portals check the request only after the login.
 */
export async function probeAuthorization(options: {
  readonly http: HttpClient
  readonly instance: Instance
  readonly clientId: string
  /** Returns the authorization request with this state and challenge. */
  readonly urlWith: (state: string, codeChallenge: string) => URL
  readonly signal: AbortSignal
}): Promise<void> {
  const { http, instance, clientId, urlWith, signal } = options
  const url = urlWith(generateRandomState(), await calculatePKCECodeChallenge(generateRandomCodeVerifier()))
  const answer = await http.send(url, { maxBytes, timeoutMs, signal }).catch(() => undefined)
  const error = answer && refusalOf(answer)
  if (error === undefined) return
  const details = { instance: instance.id, clientId, error }
  if (unknownClient.includes(error)) throw clientRefused(details)
  throw new CausewayError('oauth/authorization-failed', { details })
}

function clientRefused(details: { instance: string; clientId: string; error: string }): CausewayError {
  return new CausewayError('oauth/client-refused', { details })
}

/** Returns the error in a refusal: in JSON, or on a page with `ERROR: <code> (<description>)`. */
function refusalOf({ status, text }: HttpResponse): string | undefined {
  if (status !== 400 && status !== 401) return undefined
  const code = errorIn(text) ?? /\bERROR:\s*([a-z_]{1,40})\b/.exec(text.replace(/<[^>]*>/g, ' '))?.[1]
  return code === undefined || !errors.includes(code) ? undefined : printable(code)
}

function errorIn(text: string): string | undefined {
  return errorBody.safeParse(parseJson(text)).data?.error
}
