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

/** An OAuth error (RFC 6749, sections 4.1.2.1 and 5.2) with the HTTP status that portals use. */
export interface OAuthError {
  ok: false
  status: 400 | 401
  error: (typeof oauthErrorCodes)[number]
  description: string
}

/** Returns an OAuth error with status 401 for `invalid_client` and 400 for all others. */
export function oauthError(error: OAuthError['error'], description: string): OAuthError {
  return { ok: false, status: error === 'invalid_client' ? 401 : 400, error, description }
}

/** Sends an error in the format of the token endpoint. */
export function sendOAuthError(
  reply: FastifyReply,
  { status, error, description }: OAuthError,
): FastifyReply {
  return sendJson(reply, status, { error, error_description: description })
}
