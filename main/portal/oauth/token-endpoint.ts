import * as oauth from 'oauth4webapi'
import { z } from 'zod'
import { CausewayError } from '../../errors'
import { asFetch } from '../../platform/http/as-fetch'
import type { HttpClient } from '../../platform/http/http-client'
import { busy } from '../../platform/http/retrying-http'
import { printable } from '../../../contract/safe-text'

export interface IssuedTokens {
  readonly accessToken: string
  readonly refreshToken?: string
  /** Seconds from now; absent if the server doesn't send it. */
  readonly expiresIn?: number
}

/** `refused` is the server's decision about the code or refresh token; `error` is its error code. */
export type TokenAnswer =
  | { readonly answer: 'issued'; readonly tokens: IssuedTokens }
  | { readonly answer: 'refused'; readonly status: number; readonly error?: string }

/** The token endpoint of one instance, for our public client. */
export interface TokenEndpoint {
  /** `parameters` is a judged callback. Throws `service/busy`, `oauth/server-error`, `oauth/invalid-token-response`, `http/*`. */
  exchangeCode(
    parameters: URLSearchParams,
    redirectUri: string,
    codeVerifier: string,
    signal: AbortSignal,
  ): Promise<TokenAnswer>
  /**
   * Throws as exchangeCode does; `oauth/server-error` also for refusals that don't concern the refresh token
   * (`onlyInvalidGrant`).
   */
  refresh(refreshToken: string): Promise<TokenAnswer>
}

const maxBytes = 64 * 1024
/** About thirty years, in seconds, so that the expiry time is a valid date. */
const longestLifetime = 1_000_000_000

/** The characters of a token (RFC 6749, A.12). Others could end the header in which it is sent. */
const token = z.string().regex(/^[\x21-\x7e]+$/)
const issued = z.object({
  access_token: token,
  token_type: z.literal('bearer'),
  refresh_token: token.exactOptional(),
  expires_in: z.number().nonnegative().exactOptional(),
})
const errorBody = z.object({ error: z.string() })

export function createTokenEndpoint(options: {
  readonly http: HttpClient
  /** https, or http on this machine. */
  readonly url: URL
  readonly clientId: string
  /** Treats a refresh as refused only after `invalid_grant`; default: after any answer with status 400 or 401. */
  readonly onlyInvalidGrant?: boolean
}): TokenEndpoint {
  const { http, url, clientId, onlyInvalidGrant = false } = options
  const client: oauth.Client = { client_id: clientId }
  const send = asFetch(http, { maxBytes })
  // The library only allows https. HttpClient also allows http on this machine, so it gets the real address.
  const requestOptions = {
    [oauth.customFetch]: (_address: string, request: Parameters<typeof send>[1]) => send(url.href, request),
  }

  return {
    async exchangeCode(parameters, redirectUri, codeVerifier, signal) {
      const server = serverOf(url, parameters.get('iss'))
      const callback = oauth.validateAuthResponse(server, client, parameters, oauth.skipStateCheck)
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        oauth.None(),
        callback,
        redirectUri,
        codeVerifier,
        { ...requestOptions, signal },
      )
      return answerOf(response, url, () => oauth.processAuthorizationCodeResponse(server, client, response))
    },

    async refresh(refreshToken) {
      const server = serverOf(url, null)
      const response = await oauth.refreshTokenGrantRequest(
        server,
        client,
        oauth.None(),
        refreshToken,
        requestOptions,
      )
      const answer = await answerOf(response, url, () =>
        oauth.processRefreshTokenResponse(server, client, response),
      )
      if (onlyInvalidGrant && answer.answer === 'refused' && answer.error !== 'invalid_grant')
        throw serverError(url, answer.status)
      return answer
    },
  }
}

/** The library requires an issuer. Discovery names none, and the `iss` of a callback was checked before (issuer.ts). */
function serverOf(url: URL, iss: string | null): oauth.AuthorizationServer {
  return { issuer: iss ?? url.origin, token_endpoint: url.href.replace(/^http:/, 'https:') }
}

async function answerOf(
  response: Response,
  url: URL,
  process: () => Promise<oauth.TokenEndpointResponse>,
): Promise<TokenAnswer> {
  const { status } = response
  if (status === 400 || status === 401) {
    const body = errorBody.safeParse(await response.json().catch(() => undefined))
    return { answer: 'refused', status, error: body.data && printable(body.data.error, 100) }
  }
  if (status === 429) throw busy({ url, status, headers: response.headers })
  // Other statuses, such as a proxy's 403, don't concern the tokens.
  if (status < 200 || status > 299) throw serverError(url, status)
  return { answer: 'issued', tokens: await issuedTokens(url, process) }
}

async function issuedTokens(
  url: URL,
  process: () => Promise<oauth.TokenEndpointResponse>,
): Promise<IssuedTokens> {
  // The errors of the library and of zod are not passed on, because they contain the answer with the tokens.
  const answer = issued.safeParse(await process().catch(() => undefined))
  if (!answer.success) {
    throw new CausewayError('oauth/invalid-token-response', { details: { host: url.host } })
  }
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: expiresIn } = answer.data
  return {
    accessToken,
    refreshToken,
    expiresIn: expiresIn === undefined ? undefined : Math.min(expiresIn, longestLifetime),
  }
}

function serverError(url: URL, status: number): CausewayError {
  return new CausewayError('oauth/server-error', { details: { host: url.host, status } })
}
