import { z } from 'zod'
import { badInput, described, okSchema, sendOk } from '../control/replies'
import { sendJson } from '../http/answer'
import type { App } from '../http/app'
import { authorizeOutcomes, type AuthorizeBehaviour } from './authorize-behaviour'

const nextOutcome = z.strictObject({
  next: z.enum(authorizeOutcomes).describe('no-answer shows a page on which nothing happens'),
  times: z.int().min(1).max(1e9).optional().describe('How many requests; until taken back unless given'),
})
const decided = z
  .object({ next: z.enum(authorizeOutcomes).nullable(), times: z.int().optional() })
  .describe('Shows the outcome of the next authorization requests; null as the mock was started')

/** `/_mock/authorize`, below `base`: what the next authorization requests meet, whatever the mock was started with. */
export function addAuthorizeControl(app: App, base: string, behaviour: AuthorizeBehaviour): void {
  const path = `${base}/authorize`
  app.get(
    path,
    {
      schema: {
        ...described('Shows the outcome of the next authorization requests'),
        response: { 200: decided },
      },
    },
    (_request, reply) => sendJson(reply, 200, behaviour.decided ?? { next: null }),
  )
  app.post(
    path,
    {
      schema: {
        ...described(
          'Sets the outcome of the next authorization requests',
          'Whatever --auto-approve says, until the next scenario. Requests that are wrong in themselves get their error page as always. A client that looks ahead, and takes no pages (Accept without text/html), meets the same and is not counted.',
        ),
        body: nextOutcome,
        response: { 200: okSchema, ...badInput },
      },
    },
    ({ body: { next, times } }, reply) => {
      behaviour.decide({ next, ...(times === undefined ? {} : { times }) })
      return sendOk(reply)
    },
  )
  app.delete(
    path,
    {
      schema: {
        ...described('Restores the outcome that the mock started with'),
        response: { 200: okSchema },
      },
    },
    (_request, reply) => {
      behaviour.settle()
      return sendOk(reply)
    },
  )
}
