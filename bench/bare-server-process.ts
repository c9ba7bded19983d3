import { getEachMessage, sendMessage } from 'execa'
import Fastify from 'fastify'
import { z } from 'zod'

const answerSchema = z.object({ path: z.string(), contentType: z.string(), body: z.string() })

/**
 * Starts, for each message, a bare Fastify with one route that sends the bytes of the message: the baseline for an
 * answer.
 */
for await (const message of getEachMessage()) {
  const { path, contentType, body } = answerSchema.parse(message)
  const app = Fastify()
  const bytes = Buffer.from(body)
  app.get(path, (_request, reply) => reply.code(200).header('content-type', contentType).send(bytes))
  await sendMessage({ origin: await app.listen({ host: '127.0.0.1', port: 0 }) })
}
