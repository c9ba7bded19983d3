import { z } from 'zod'
import { sendJson } from '../http/answer'
import type { App } from '../http/app'
import type { MockState } from '../mock-state'
import { faultRuleSchema, mostFaults } from './faults'
import { described, errorSchema, okSchema, sendOk } from './replies'

/** Adds the control calls of `/_mock/recordings`. */
export function addRecordingsControl(app: App, base: string, mockState: MockState): void {
  const path = `${base}/recordings`
  app.get(
    path,
    {
      schema: {
        ...described(
          'Lists the answers of the upstream server as stubs',
          'Recorded with --proxy-unknown. Each can be sent to `POST /_mock/faults`. Long and binary answers are not recorded.',
        ),
        response: {
          200: z.array(faultRuleSchema.pick({ match: true, fault: true })).describe('Oldest first.'),
        },
      },
    },
    (_request, reply) => sendJson(reply, 200, mockState.recordings.all),
  )
  app.delete(
    path,
    { schema: { ...described('Deletes the recorded answers'), response: { 200: okSchema } } },
    (_request, reply) => {
      mockState.recordings.clear()
      return sendOk(reply)
    },
  )
  app.post(
    `${path}/replay`,
    {
      schema: {
        ...described(
          'Adds the recorded answers as stubs',
          'From then on, the mock gives them without asking the upstream server, until the faults are cleared.',
        ),
        response: {
          200: z.object({ ok: z.literal(true), added: z.int() }).describe('They are in force.'),
          409: errorSchema('There would be too many faults.'),
        },
      },
    },
    (_request, reply) => {
      const { all } = mockState.recordings
      if (mockState.faults.rules.length + all.length > mostFaults) {
        return sendJson(reply, 409, {
          error: `There would be more than ${mostFaults} faults. Clear some first.`,
        })
      }
      for (const recording of all) mockState.faults.add(recording)
      return sendJson(reply, 200, { ok: true, added: all.length })
    },
  )
}
