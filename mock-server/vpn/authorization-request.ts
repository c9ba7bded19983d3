import { z } from 'zod'
import type { Parameters } from '../http/parameters'
import { isRegisteredClient, isRegisteredRedirect } from './clients'
import { oauthError, type OAuthError } from './oauth-error'

/** What an authorization request asks for, once every parameter has been checked. */
export interface AuthorizationRequest {
  clientId: string
  redirectUri: string
  scope: 'config'
  state: string
  codeChallenge: string
}

const names = [
  'client_id',
  'redirect_uri',
  'response_type',
  'scope',
  'state',
  'code_challenge_method',
  'code_challenge',
] as const

const present = z.record(z.enum(names), z.string().min(1))

/**
 * Checks the query of an authorization request in the order of the portal: first what would make a redirect unsafe.
 * No error is ever redirected (field notes, "Authorize, bad request").
 */
export function readAuthorizationRequest(
  query: Parameters,
): OAuthError | { ok: true; request: AuthorizationRequest } {
  const parsed = present.safeParse(Object.fromEntries(names.map((name) => [name, query[name]])))
  if (!parsed.success) {
    const wrong = String(parsed.error.issues[0]?.path[0])
    return oauthError('invalid_request', `missing, empty or repeated parameter "${wrong}"`)
  }
  const given = parsed.data
  if (!isRegisteredClient(given.client_id)) {
    return oauthError('invalid_client', 'client does not exist with this identifier')
  }
  if (!isRegisteredRedirect(given.redirect_uri)) {
    return oauthError('invalid_client', 'client does not have this redirect_uri')
  }
  if (given.response_type !== 'code') {
    return oauthError('unsupported_response_type', 'the response_type must be "code"')
  }
  if (given.scope !== 'config') return oauthError('invalid_scope', 'the scope must be "config"')
  if (!/^[\x20-\x7e]{1,1024}$/.test(given.state)) return oauthError('invalid_request', 'invalid "state"')
  if (given.code_challenge_method !== 'S256') {
    return oauthError('invalid_request', 'the code_challenge_method must be "S256"')
  }
  if (!/^[A-Za-z0-9_-]{43}$/.test(given.code_challenge)) {
    return oauthError('invalid_request', 'invalid "code_challenge"')
  }
  const request: AuthorizationRequest = {
    clientId: given.client_id,
    redirectUri: given.redirect_uri,
    scope: given.scope,
    state: given.state,
    codeChallenge: given.code_challenge,
  }
  return { ok: true, request }
}
