import { z } from 'zod'
import type { ControlCalls } from '../control/control-calls'
import type { ContentService } from './content-service'
import { misprintSchema } from './misprints'

/** Adds the control calls of the content API. */
export function addContentCalls(calls: ControlCalls, { misprints }: ContentService): void {
  calls.add('GET /misprints', {
    summary: 'Lists the reported misprints, newest last',
    answer: z.array(misprintSchema).describe('The newest 1000'),
    run: () => misprints.all,
  })
  calls.add('DELETE /misprints', {
    summary: 'Deletes the reported misprints',
    run: () => {
      misprints.clear()
    },
  })
}
