import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendJson } from '../http/answer'

/** Answers as every call does that worked (section 2, "Response envelope"). */
export function sendEnvelope(reply: FastifyReply, call: string, data: unknown): FastifyReply {
  return sendJson(reply, 200, { [call]: { ok: true, data } })
}

/** Answers with HTTP 200 that the call did not work (field notes, "profile_config"). */
export function sendRefusal(reply: FastifyReply, call: string, error: string): FastifyReply {
  return sendJson(reply, 200, { [call]: { ok: false, error } })
}

/** Answers with a plain error, as text where the client says that it reads HTML (field notes, "Plain errors"). */
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
