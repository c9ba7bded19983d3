import { parseJson } from '../../json'
import { calculatePKCECodeChallenge, generateRandomCodeVerifier, generateRandomState } from 'oauth4webapi'
import { z } from 'zod'
import { CausewayError } from '../../errors'
import type { HttpClient, HttpResponse } from '../../platform/http/http-client'
import { printable } from '../../platform/http/printable'
import type { Instance } from '../instance/instance'

const timeoutMs = 3000
const maxBytes = 256 * 1024

/** RFC 6749, 4.1.2.1 and 5.2: what a portal can say of an authorization request before anybody is logged in. */
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
 * Makes an authorization request as the browser will, so that a refusal is told in words instead of leaving the person in
 * front of an error page. It has a state and a challenge of its own: nothing can be done with a code that it might bring.
 *
 * Throws `oauth/client-refused` where the portal does not know the client, `oauth/authorization-failed` for other refusals.
 * Any other answer, and none within three seconds, says nothing: many portals check the request only after the login.
 */
export async function probeAuthorization(options: {
  readonly http: HttpClient
  readonly instance: Instance
  readonly clientId: string
  /** The authorization request with this state and challenge. */
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
  throw new CausewayError(
    'oauth/authorization-failed',
    `${instance.id} couldn't log you in (${error}). Report this to the service's administrator.`,
    { details },
  )
}

function clientRefused(details: { instance: string; clientId: string; error: string }): CausewayError {
  const { instance, clientId } = details
  return new CausewayError(
    'oauth/client-refused',
    `${instance} doesn't recognize Causeway (client ID ${clientId}), so you can't log in. Ask the service's administrator to register Causeway, or use the client ID that they gave you: causeway instance set --client-id ID ${instance}`,
    { details },
  )
}

/** The error in an answer that is a refusal: in JSON, or on a page that says `ERROR: <code> (<description>)`. */
function refusalOf({ status, text }: HttpResponse): string | undefined {
  if (status !== 400 && status !== 401) return undefined
  const code = errorIn(text) ?? /\bERROR:\s*([a-z_]{1,40})\b/.exec(text.replace(/<[^>]*>/g, ' '))?.[1]
  return code === undefined || !errors.includes(code) ? undefined : printable(code)
}

function errorIn(text: string): string | undefined {
  return errorBody.safeParse(parseJson(text)).data?.error
}
