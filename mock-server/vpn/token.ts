import { z } from 'zod'
import { sendJson } from '../http/answer'
import { addRoute, type App, type ErrorArea, isBelow } from '../http/app'
import { type Parameters, formOf } from '../http/parameters'
import { tags } from '../openapi/openapi'
import { paths } from '../paths'
import { optional } from '../schemas'
import { documented } from './documented'
import { invalidRequest, type OAuthError, oauthError, oauthFailure, sendOAuthError } from './oauth-error'
import { sendQueued, withChanges } from './queued-answers'
import type { IssuedTokens } from './token-store'
import type { VpnService } from './vpn-service'

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
  return invalidRequest(`missing or malformed parameter "${String(error.issues[0]?.path[0])}"`)
}

const unknownClient = (): OAuthError => oauthError('invalid_client', 'client does not exist')

function refresh(form: Parameters, service: VpnService): OAuthError | IssuedTokens {
  const parsed = refreshRequest.safeParse(form)
  if (!parsed.success) return malformed(parsed.error)
  const { refresh_token, client_id, scope } = parsed.data
  const clientId = client_id ?? service.tokens.refreshable(refresh_token)?.clientId
  if (clientId !== undefined && !service.isRegistered(clientId)) return unknownClient()
  if (scope !== undefined && scope !== 'config') {
    return oauthError('invalid_scope', 'the scope must be "config"')
  }
  return service.tokens.refresh(refresh_token, client_id)
}

function answer(form: Parameters, service: VpnService): OAuthError | IssuedTokens {
  const grantType = form.grant_type
  if (typeof grantType !== 'string' || grantType === '') {
    return invalidRequest('missing or malformed parameter "grant_type"')
  }
  if (grantType === 'refresh_token') return refresh(form, service)
  if (grantType !== 'authorization_code') return oauthError('unsupported_grant_type', 'invalid "grant_type"')
  const parsed = codeRequest.safeParse(form)
  if (!parsed.success) return malformed(parsed.error)
  if (!service.isRegistered(parsed.data.client_id)) return unknownClient()
  return service.tokens.redeemCode(parsed.data)
}

const tokenRequest = z.union([
  codeRequest.extend({ grant_type: z.literal('authorization_code') }),
  refreshRequest.extend({ grant_type: z.literal('refresh_token') }),
])

const tokenAnswer = z.object({
  access_token: z.string(),
  refresh_token: optional(z.string(), 'Absent after a refresh in version 2: the previous one stays valid'),
  token_type: z.literal('bearer'),
  expires_in: z.int().describe('In seconds; the token expires earlier if the session ends'),
})

export function addTokenEndpoint(app: App): void {
  addRoute(app, 'POST', paths.token, {
    tags: [tags.vpn],
    summary: 'Exchanges a code, or a refresh token, for an access token',
    consumes: ['application/x-www-form-urlencoded'],
    body: documented(tokenRequest),
    response: {
      200: tokenAnswer.describe('The tokens'),
      400: oauthFailure('The request is invalid, or its code or token is no longer valid'),
      401: oauthFailure('The client is not registered'),
      413: oauthFailure('The body is too large'),
      415: oauthFailure('The Content-Type is not valid'),
    },
    handler: (request, reply) => {
      reply.header('cache-control', 'no-store').header('pragma', 'no-cache')
      const { vpn } = request.world
      const next = vpn.queuedAnswers.next('token')
      if (next !== undefined && 'status' in next) {
        vpn.queuedAnswers.take('token', request)
        return sendQueued(reply, next)
      }
      const result = answer(formOf(request), vpn)
      // A change waits for tokens: a refusal has none of their fields.
      if (!result.ok) return sendOAuthError(reply, result)
      const fields = {
        access_token: result.accessToken,
        refresh_token: result.refreshToken,
        token_type: 'bearer',
        expires_in: result.expiresIn,
      }
      return sendJson(reply, 200, withChanges(fields, vpn.queuedAnswers.take('token', request)))
    },
  })
}

/** Errors of requests below `/oauth` that reach no endpoint. */
export const oauthErrorArea: ErrorArea = {
  holds: isBelow('/oauth'),
  send: (_request, reply, status, description) => {
    const error = status >= 500 ? 'server_error' : 'invalid_request'
    return sendOAuthError(reply.header('cache-control', 'no-store'), { status, error, description })
  },
}
