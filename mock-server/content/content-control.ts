import { z } from 'zod'
import { call } from '../control/control-calls'
import { misprintSchema } from './misprints'

/** The control calls of the content API. */
export const contentCalls = {
  'GET /misprints': call({
    summary: 'Lists the reported misprints, newest last',
    answer: z.array(misprintSchema).describe('The newest 1000'),
    run: ({
      world: {
        content: { misprints },
      },
    }) => misprints.all,
  }),
  'DELETE /misprints': call({
    summary: 'Deletes the reported misprints',
    run: ({
      world: {
        content: { misprints },
      },
    }) => {
      misprints.clear()
    },
  }),
}
