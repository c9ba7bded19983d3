import type { FastifyReply } from 'fastify'
import { z } from 'zod'
import { sendJson } from '../http/answer'

const codes = z.enum([
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'invalid_scope',
  'unsupported_grant_type',
  'unsupported_response_type',
])

export interface OAuthFailure {
  status: number
  error: string
  description: string
}

/** An OAuth error (RFC 6749, sections 4.1.2.1 and 5.2) with the HTTP status that portals use. */
export interface OAuthError extends OAuthFailure {
  ok: false
  error: z.infer<typeof codes>
}

export function oauthError(error: OAuthError['error'], description: string): OAuthError {
  return { ok: false, status: error === 'invalid_client' ? 401 : 400, error, description }
}

export const invalidRequest = (description: string) => oauthError('invalid_request', description)
export const invalidGrant = (description: string) => oauthError('invalid_grant', description)

export function sendOAuthError(
  reply: FastifyReply,
  { status, error, description }: OAuthFailure,
): FastifyReply {
  return sendJson(reply, status, { error, error_description: description })
}

export const oauthFailure = (description: string) =>
  z.object({ error: codes, error_description: z.string() }).describe(description)
