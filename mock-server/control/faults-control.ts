import { z } from 'zod'
import { sendJson } from '../http/answer'
import type { App } from '../http/app'
import { activeFaultSchema, faultRuleSchema, mostFaults, type FaultList } from './faults'
import { badInput, described, errorSchema, okSchema, sendOk } from './replies'

/** Adds the control calls of `/_mock/faults`. */
export function addFaultsControl(app: App, base: string, faults: FaultList): void {
  app.get(
    `${base}/faults`,
    {
      schema: {
        ...described('Lists the active faults'),
        response: {
          200: z
            .array(activeFaultSchema)
            .describe('The faults in the order in which they are applied, oldest first.'),
        },
      },
    },
    (_request, reply) => sendJson(reply, 200, faults.rules),
  )
  app.post(
    `${base}/faults`,
    {
      schema: {
        ...described(
          'Adds a fault for the next matching requests',
          'Applies the oldest matching fault. Control calls are never affected.',
        ),
        body: faultRuleSchema,
        response: {
          200: z
            .object({ ok: z.literal(true), id: z.string().describe('for DELETE /_mock/faults/{id}') })
            .describe('It waits.'),
          ...badInput,
          409: errorSchema('There are too many faults already.'),
        },
      },
    },
    ({ body }, reply) => {
      if (faults.rules.length >= mostFaults) {
        return sendJson(reply, 409, { error: `There are ${mostFaults} faults already. Clear some first.` })
      }
      return sendJson(reply, 200, { ok: true, id: faults.add(body).id })
    },
  )
  app.delete(
    `${base}/faults`,
    { schema: { ...described('Clears the faults'), response: { 200: okSchema } } },
    (_request, reply) => {
      faults.clear()
      return sendOk(reply)
    },
  )
  app.delete(
    `${base}/faults/:id`,
    {
      schema: {
        ...described('Clears one fault'),
        params: z.object({ id: z.string().max(100) }),
        response: { 200: okSchema, ...badInput, 404: errorSchema('There is no fault with this id.') },
      },
    },
    ({ params }, reply) =>
      faults.remove(params.id)
        ? sendOk(reply)
        : sendJson(reply, 404, {
            error: 'There is no fault with this id. It may have struck for the last time.',
          }),
  )
}
