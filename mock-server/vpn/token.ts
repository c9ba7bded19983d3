import { z } from 'zod'
import type { App } from '../http/app'
import { sendJson } from '../http/answer'
import { isBelow, type ErrorArea } from '../http/error-area'
import { formOf, type Parameters } from '../http/parameters'
import { isRegisteredClient } from './clients'
import { oauthError, sendOAuthError, type OAuthError } from './oauth-error'
import { accessTokenSeconds, type IssuedTokens, type TokenStore } from './token-store'

const codeRequest = z.object({
  code: z.string().min(1),
  redirect_uri: z.string().min(1),
  client_id: z.string().min(1),
  code_verifier: z.string().regex(/^[A-Za-z0-9\-._~]{43,128}$/),
})

const refreshRequest = z.object({
  refresh_token: z.string().min(1),
  client_id: z.string().min(1).optional(),
  scope: z.string().optional(),
})

function malformed(error: z.ZodError): OAuthError {
  return oauthError('invalid_request', `missing or malformed parameter "${String(error.issues[0]?.path[0])}"`)
}

const unknownClient = (): OAuthError => oauthError('invalid_client', 'client does not exist')

function exchangeCode(form: Parameters, tokens: TokenStore): OAuthError | IssuedTokens {
  const parsed = codeRequest.safeParse(form)
  if (!parsed.success) return malformed(parsed.error)
  const { code, client_id, redirect_uri, code_verifier } = parsed.data
  if (!isRegisteredClient(client_id)) return unknownClient()
  return tokens.redeemCode({
    code,
    clientId: client_id,
    redirectUri: redirect_uri,
    codeVerifier: code_verifier,
  })
}

function refresh(form: Parameters, tokens: TokenStore): OAuthError | IssuedTokens {
  const parsed = refreshRequest.safeParse(form)
  if (!parsed.success) return malformed(parsed.error)
  const { refresh_token, client_id, scope } = parsed.data
  if (client_id !== undefined && !isRegisteredClient(client_id)) return unknownClient()
  if (scope !== undefined && scope !== 'config') {
    return oauthError('invalid_scope', 'the scope must be "config"')
  }
  return tokens.refresh({ refreshToken: refresh_token, clientId: client_id })
}

function answer(form: Parameters, tokens: TokenStore): OAuthError | IssuedTokens {
  const grantType = form.grant_type
  if (typeof grantType !== 'string' || grantType === '') {
    return oauthError('invalid_request', 'missing or malformed parameter "grant_type"')
  }
  if (grantType === 'authorization_code') return exchangeCode(form, tokens)
  if (grantType === 'refresh_token') return refresh(form, tokens)
  return oauthError('unsupported_grant_type', 'invalid "grant_type"')
}

/** The token endpoint (section 4, "OAuth endpoints"; statuses and errors as in the field notes). */
export function addTokenEndpoint(app: App, path: string, tokens: TokenStore): void {
  app.post(path, (request, reply) => {
    reply.header('cache-control', 'no-store').header('pragma', 'no-cache')
    const result = answer(formOf(request), tokens)
    if (!result.ok) return sendOAuthError(reply, result)
    return sendJson(reply, 200, {
      access_token: result.accessToken,
      ...(result.refreshToken === undefined ? {} : { refresh_token: result.refreshToken }),
      token_type: 'bearer',
      expires_in: accessTokenSeconds,
    })
  })
}

/** Errors under `/oauth` that no endpoint answered itself. */
export const oauthErrorArea: ErrorArea = {
  holds: isBelow('/oauth'),
  send: (_request, reply, status, message) => {
    const error = status >= 500 ? 'server_error' : 'invalid_request'
    return sendJson(reply.header('cache-control', 'no-store'), status, {
      error,
      error_description: message,
    })
  },
}
