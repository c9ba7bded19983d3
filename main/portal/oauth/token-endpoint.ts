import * as oauth from 'oauth4webapi'
import { z } from 'zod'
import { CausewayError } from '../../errors'
import { asFetch } from '../../platform/http/as-fetch'
import type { HttpClient } from '../../platform/http/http-client'
import { printable } from '../../platform/http/printable'

export interface IssuedTokens {
  readonly accessToken: string
  readonly refreshToken?: string
  /** Seconds from now; absent where the server does not say. */
  readonly expiresIn?: number
}

/** `refused` is the server's decision about the code or refresh token; `error` is its word for it. */
export type TokenAnswer =
  | { readonly answer: 'issued'; readonly tokens: IssuedTokens }
  | { readonly answer: 'refused'; readonly status: number; readonly error?: string }

/** One instance's token endpoint (vpn-application-api.md, section 4) for our public client. */
export interface TokenEndpoint {
  /** `parameters` is a judged callback. Throws `oauth/server-error`, `oauth/invalid-token-response`, `http/*`. */
  exchangeCode(
    parameters: URLSearchParams,
    redirectUri: string,
    codeVerifier: string,
    signal: AbortSignal,
  ): Promise<TokenAnswer>
  /** Throws as exchangeCode does. */
  refresh(refreshToken: string): Promise<TokenAnswer>
}

const maxBytes = 64 * 1024
/** Some thirty years, in seconds: beyond it no date would be left to compare with. */
const longestLifetime = 1_000_000_000

/** A token goes into a header, where anything but these characters (RFC 6749, A.12) could end it. */
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
}): TokenEndpoint {
  const { http, url, clientId } = options
  const client: oauth.Client = { client_id: clientId }
  const send = asFetch(http, { maxBytes })
  // The library knows no exception from https; HttpClient knows the one for this machine, so it gets the real address.
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
      return answerOf(response, url, () => oauth.processRefreshTokenResponse(server, client, response))
    },
  }
}

/** The library wants an issuer; info.json names none, and a callback's `iss` was judged before (issuer.ts). */
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
    return { answer: 'refused', status, ...(body.success ? { error: printable(body.data.error, 100) } : {}) }
  }
  // All else, such as 429 or a proxy's 403, decides nothing about the tokens.
  if (status < 200 || status > 299) throw serverError(url, status)
  return { answer: 'issued', tokens: await issuedTokens(url, process) }
}

async function issuedTokens(
  url: URL,
  process: () => Promise<oauth.TokenEndpointResponse>,
): Promise<IssuedTokens> {
  // Neither the library's errors nor zod's are passed on: they hold the answer, and with it the tokens.
  const answer = issued.safeParse(await process().catch(() => undefined))
  if (!answer.success) {
    throw new CausewayError(
      'oauth/invalid-token-response',
      `The response of ${url.host} to the login isn't valid. Report this to the service's administrator.`,
      { details: { host: url.host } },
    )
  }
  const { access_token: accessToken, refresh_token: refreshToken, expires_in: expiresIn } = answer.data
  return {
    accessToken,
    ...(refreshToken === undefined ? {} : { refreshToken }),
    ...(expiresIn === undefined ? {} : { expiresIn: Math.min(expiresIn, longestLifetime) }),
  }
}

function serverError(url: URL, status: number): CausewayError {
  return new CausewayError(
    'oauth/server-error',
    `The login at ${url.host} isn't working at the moment (status ${status}). Try again later. You stay logged in.`,
    { details: { host: url.host, status } },
  )
}
