import type { FastifyReply } from 'fastify'
import { sendJson } from '../http/answer'

export const oauthErrorCodes = [
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'invalid_scope',
  'unsupported_grant_type',
  'unsupported_response_type',
] as const

/** An OAuth error (RFC 6749, sections 4.1.2.1 and 5.2) with the status that portals give it. */
export interface OAuthError {
  ok: false
  status: 400 | 401
  error: (typeof oauthErrorCodes)[number]
  description: string
}

/** An OAuth error; the status is 401 for `invalid_client` and 400 for all others. */
export function oauthError(error: OAuthError['error'], description: string): OAuthError {
  return { ok: false, status: error === 'invalid_client' ? 401 : 400, error, description }
}

/** Answers as the token endpoint does. */
export function sendOAuthError(
  reply: FastifyReply,
  { status, error, description }: OAuthError,
): FastifyReply {
  return sendJson(reply, status, { error, error_description: description })
}
