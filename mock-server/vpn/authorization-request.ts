import { z } from 'zod'
import type { Parameters } from '../http/parameters'
import { oauthError, type OAuthError } from './oauth-error'
import type { VpnService } from './vpn-service'

export interface AuthorizationRequest {
  ok: true
  clientId: string
  redirectUri: string
  state: string
  codeChallenge: string
  /** `form_post`: a page posts the answer to the redirect URI. */
  responseMode: z.infer<typeof responseMode>
}

const responseMode = z.enum(['query', 'form_post'])
const state = z.string().regex(/^[\x20-\x7e]{1,1024}$/)
const codeChallenge = z.string().regex(/^[A-Za-z0-9_-]{43}$/)

/** The parameters of section 4, "OAuth endpoints". */
export const authorizationQuery = z.object({
  client_id: z.string().min(1).describe('A registered client, such as org.eduvpn.app.linux'),
  redirect_uri: z
    .string()
    .min(1)
    .describe('http://127.0.0.1:PORT/callback or http://[::1]:PORT/callback, PORT from 1024 to 65535'),
  response_type: z.literal('code'),
  scope: z.literal('config'),
  state,
  code_challenge_method: z.literal('S256'),
  code_challenge: codeChallenge,
  response_mode: responseMode
    .optional()
    .describe(
      'For portals of version 3 from 3.12.0, form_post for desktop clients only; older portals ignore it',
    ),
})

const names = authorizationQuery.keyof().exclude(['response_mode']).options
const present = z.record(z.enum(names), z.string().min(1))

/**
 * Checks the query of an authorization request in the same order as portals: first the parameters that make a redirect
 * unsafe. Errors are never redirected (field notes, "Authorize, bad request").
 */
export function readAuthorizationRequest(
  query: Parameters,
  clients: Pick<VpnService, 'isRegistered' | 'isRegisteredRedirect' | 'responseModesOf'>,
): OAuthError | AuthorizationRequest {
  const parsed = present.safeParse(Object.fromEntries(names.map((name) => [name, query[name]])))
  if (!parsed.success) {
    const wrong = String(parsed.error.issues[0]?.path[0])
    return oauthError('invalid_request', `missing, empty or repeated parameter "${wrong}"`)
  }
  const given = parsed.data
  if (!clients.isRegistered(given.client_id)) {
    return oauthError('invalid_client', 'client does not exist with this identifier')
  }
  if (!clients.isRegisteredRedirect(given.client_id, given.redirect_uri)) {
    return oauthError('invalid_client', 'client does not have this redirect_uri')
  }
  if (given.response_type !== 'code') {
    return oauthError('unsupported_response_type', 'the response_type must be "code"')
  }
  if (given.scope !== 'config') return oauthError('invalid_scope', 'the scope must be "config"')
  if (!state.safeParse(given.state).success) return oauthError('invalid_request', 'invalid "state"')
  if (given.code_challenge_method !== 'S256') {
    return oauthError('invalid_request', 'the code_challenge_method must be "S256"')
  }
  if (!codeChallenge.safeParse(given.code_challenge).success) {
    return oauthError('invalid_request', 'invalid "code_challenge"')
  }
  const modes = clients.responseModesOf(given.client_id)
  const mode = responseMode.safeParse((modes && query.response_mode) ?? 'query')
  if (!mode.success || modes?.includes(mode.data) === false) {
    return oauthError('invalid_request', 'the client does not support this "response_mode"')
  }
  return {
    ok: true,
    clientId: given.client_id,
    redirectUri: given.redirect_uri,
    state: given.state,
    codeChallenge: given.code_challenge,
    responseMode: mode.data,
  }
}
