import { z } from 'zod'
import { badInput, described, okSchema, sendOk } from '../control/replies'
import { sendJson } from '../http/answer'
import type { App } from '../http/app'
import { authorizeOutcomes, type AuthorizeBehaviour } from './authorize-behaviour'

const nextOutcome = z.strictObject({
  next: z.enum(authorizeOutcomes).describe('no-answer shows a page that never redirects'),
  times: z.int().min(1).max(1e9).optional().describe('The number of requests; until withdrawn if omitted'),
})
const decided = z
  .object({ next: z.enum(authorizeOutcomes).nullable(), times: z.int().optional() })
  .describe('The outcome of the next authorization requests; null if they behave as the mock was started')

/** Adds `/_mock/authorize` below `base`, which sets the outcome of the next authorization requests. */
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
          'Overrides --auto-approve until the next scenario. Invalid requests still get their error page. A client that probes the endpoint (Accept without text/html) gets the same outcome and is not counted.',
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
