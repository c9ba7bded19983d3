import type { FastifyReply } from 'fastify'

const asItIs = (text: unknown) => String(text)

/** Answers with JSON of the exact type `application/json`; Fastify's own serializer would add a charset. */
export function sendJson(reply: FastifyReply, status: number, body: unknown): FastifyReply {
  return sendJsonText(reply, status, JSON.stringify(body))
}

/** Answers with JSON. A short text is faster than bytes, because Node sends it with the headers; a long one isn't. */
export function sendJsonText(
  reply: FastifyReply,
  status: number,
  json: string | Buffer | undefined,
): FastifyReply {
  return reply.code(status).header('content-type', 'application/json').serializer(asItIs).send(json)
}

/** Answers with a page whose policy allows only the page's own style sheet, identified by its hash. */
export function sendPage(
  reply: FastifyReply,
  status: number,
  page: { html: string; contentSecurityPolicy: string; referrerPolicy?: string },
): FastifyReply {
  return reply
    .code(status)
    .header('content-type', 'text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('content-security-policy', page.contentSecurityPolicy)
    .header('referrer-policy', page.referrerPolicy ?? 'no-referrer')
    .header('x-content-type-options', 'nosniff')
    .send(page.html)
}
