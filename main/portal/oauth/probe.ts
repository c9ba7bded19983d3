import { parseJson } from '../../json'
import { calculatePKCECodeChallenge, generateRandomCodeVerifier, generateRandomState } from 'oauth4webapi'
import { z } from 'zod'
import { CausewayError, hasCode } from '../../errors'
import type { HttpClient, HttpRequest, HttpResponse } from '../../platform/http/http-client'
import { printable } from '../../../contract/safe-text'
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

/** No portal has issued it. */
export const probeCode = 'causeway-asks-for-its-client-id'

/**
 * Sends the authorization request before the browser does, so that Causeway can explain a refusal instead of showing an
 * error page. It has its own state and challenge, so that a code in the answer would be useless. Most portals check it
 * only after the sign-in, and then the browser never returns. Their token endpoint is asked then: it checks the client
 * before the code.
 *
 * Throws `oauth/client-refused` if the client isn't registered, `oauth/authorization-failed` for other refusals, and
 * `http/tls-too-old`. Any other answer, or none within three seconds, is ignored.
 */
export async function probeAuthorization(options: {
  readonly http: HttpClient
  readonly instance: Instance
  readonly clientId: string
  readonly tokenEndpoint: string
  /** Returns the authorization request with this state and challenge. */
  readonly urlWith: (state: string, codeChallenge: string) => URL
  readonly signal: AbortSignal
}): Promise<void> {
  const { http, instance, clientId, tokenEndpoint, urlWith, signal } = options
  const codeVerifier = generateRandomCodeVerifier()
  const url = urlWith(generateRandomState(), await calculatePKCECodeChallenge(codeVerifier))
  const redirectUri = url.searchParams.get('redirect_uri') ?? ''
  const ask = (to: URL, request: HttpRequest = {}): Promise<HttpResponse | undefined> =>
    http.send(to, { ...request, maxBytes, timeoutMs, signal }).catch((error: unknown) => {
      // The calls after the sign-in would fail, too.
      if (!(error instanceof CausewayError) || hasCode(error, 'http/tls-too-old')) throw error
      return undefined
    })
  const details = { instance: instance.id, clientId }
  const answer = await ask(url)
  const error = answer && refusalOf(answer)
  if (error !== undefined && unknownClient.includes(error)) throw clientRefused({ ...details, error })
  if (error !== undefined)
    throw new CausewayError('oauth/authorization-failed', { details: { ...details, error } })
  if (answer !== undefined && knowsClient(answer, clientId, redirectUri)) return
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    code: probeCode,
    redirect_uri: redirectUri,
    client_id: clientId,
    code_verifier: codeVerifier,
  })
  const tokenAnswer = await ask(new URL(tokenEndpoint), { method: 'POST', form })
  const tokenError = tokenAnswer && refusalOf(tokenAnswer)
  if (tokenError !== undefined && unknownClient.includes(tokenError))
    throw clientRefused({ ...details, error: tokenError })
}

/** Returns whether the portal has redirected to the client, or asks to approve it by its name. */
function knowsClient({ headers, text }: HttpResponse, clientId: string, redirectUri: string): boolean {
  return (
    headers.get('location')?.startsWith(`${redirectUri}?`) === true ||
    // A sign-in page may hold the name in an address only.
    text.includes(`>${clientId}<`)
  )
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
