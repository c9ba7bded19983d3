import type { FastifyReply } from 'fastify'

const asItIs = (text: unknown) => String(text)

/** Answers with JSON of exactly the type `application/json`: Fastify would add a charset where it writes JSON itself. */
export function sendJson(reply: FastifyReply, status: number, body: unknown): FastifyReply {
  return sendJsonText(reply, status, JSON.stringify(body))
}

/** The same with JSON that is written already. */
export function sendJsonText(reply: FastifyReply, status: number, json: string | undefined): FastifyReply {
  return reply.code(status).header('content-type', 'application/json').serializer(asItIs).send(json)
}

/** Answers with a page; the policy allows nothing but the page's own style sheet, named by its hash. */
export function sendPage(
  reply: FastifyReply,
  status: number,
  page: { html: string; contentSecurityPolicy: string },
): FastifyReply {
  return reply
    .code(status)
    .header('content-type', 'text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('content-security-policy', page.contentSecurityPolicy)
    .header('referrer-policy', 'no-referrer')
    .header('x-content-type-options', 'nosniff')
    .send(page.html)
}
