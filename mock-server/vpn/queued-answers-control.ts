import { z } from 'zod'
import { badInput, described, errorSchema, okSchema, sendOk } from '../control/replies'
import { sendJson } from '../http/answer'
import type { App } from '../http/app'
import { queuedAnswerSchema, type QueuedAnswers } from './queued-answers'

/** Adds `/_mock/oauth/answers` below `base`, which queues the next answers of the OAuth endpoints. */
export function addQueuedAnswersControl(app: App, base: string, answers: QueuedAnswers): void {
  const path = `${base}/oauth/answers`
  app.get(
    path,
    {
      schema: {
        ...described('Lists the queued answers of the OAuth endpoints'),
        response: { 200: z.array(queuedAnswerSchema).describe('In the order of their use') },
      },
    },
    (_request, reply) => sendJson(reply, 200, answers.all),
  )
  app.post(
    path,
    {
      schema: {
        ...described(
          'Queues the next answer of an OAuth endpoint',
          'Each is used once, in the order of the calls, until the next scenario. An invalid authorization request still gets its error page.',
        ),
        body: queuedAnswerSchema,
        response: { 200: okSchema, ...badInput, 409: errorSchema('There are too many already.') },
      },
    },
    ({ body }, reply) =>
      answers.add(body)
        ? sendOk(reply)
        : sendJson(reply, 409, { error: 'There are too many queued answers. Delete them first.' }),
  )
  app.delete(
    path,
    {
      schema: {
        ...described('Deletes the queued answers of the OAuth endpoints'),
        response: { 200: okSchema },
      },
    },
    (_request, reply) => {
      answers.clear()
      return sendOk(reply)
    },
  )
}
