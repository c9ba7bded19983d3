import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendJson } from '../http/answer'

/** Sends a successful answer (section 2, "Response envelope"). */
export function sendEnvelope(reply: FastifyReply, call: string, data: unknown): FastifyReply {
  return sendJson(reply, 200, { [call]: { ok: true, data } })
}

/** Sends an error with HTTP 200 (field notes, "profile_config"). */
export function sendRefusal(reply: FastifyReply, call: string, error: string): FastifyReply {
  return sendJson(reply, 200, { [call]: { ok: false, error } })
}

/** Sends a plain error, as text to clients that accept HTML (field notes, "Plain errors"). */
export function sendPlainError(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  message: string,
): FastifyReply {
  return /\btext\/html\b/i.test(request.headers.accept ?? '')
    ? reply.code(status).header('content-type', 'text/plain').send(Buffer.from(message))
    : sendJson(reply, status, { error: message })
}
