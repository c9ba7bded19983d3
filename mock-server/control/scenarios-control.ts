import { z } from 'zod'
import { sendJson } from '../http/answer'
import type { App } from '../http/app'
import type { MockState } from '../mock-state'
import { nearest } from './nearest'
import { badInput, described, errorSchema } from './replies'
import { scenarioParts, scenariosOf } from './scenarios'

const listed = z.object({ name: z.string(), part: z.enum(scenarioParts), sentence: z.string() })

/** Adds the control calls of `/_mock/scenarios`. One scenario is active at a time. */
export function addScenariosControl(app: App, base: string, mockState: MockState): void {
  const scenarios = scenariosOf(mockState)
  app.get(
    `${base}/scenarios`,
    {
      schema: {
        ...described('Lists the scenarios', 'The one in force is in `GET /_mock`.'),
        response: { 200: z.array(listed).describe('Each with what clients meet from then on.') },
      },
    },
    (_request, reply) =>
      sendJson(
        reply,
        200,
        scenarios.map(({ name, part, sentence }) => ({ name, part, sentence })),
      ),
  )
  app.post(
    `${base}/scenarios/:name`,
    {
      schema: {
        ...described(
          'Applies a scenario',
          'Takes the place of the one before, and of all faults; what clients did is not forgotten. all-well takes everything back.',
        ),
        params: z.object({ name: z.string().max(200) }),
        response: {
          200: z.object({ name: z.string(), sentence: z.string() }).describe('It is in force.'),
          ...badInput,
          404: errorSchema('There is no scenario with this name; the error lists similar names.'),
          409: errorSchema('It cannot be set up as this mock was started; the error says why.'),
        },
      },
    },
    ({ params }, reply) => {
      const scenario = scenarios.find(({ name }) => name === params.name)
      if (scenario === undefined) {
        const names = nearest(
          params.name,
          scenarios.map(({ name }) => name),
        )
        return sendJson(reply, 404, {
          error: `There is no scenario of this name. The nearest are ${names.join(', ')}; GET ${base}/scenarios lists all.`,
        })
      }
      try {
        mockState.apply(scenario)
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error)
        return sendJson(reply, 409, { error: `This scenario cannot be set up here. ${reason}` })
      }
      return sendJson(reply, 200, { name: scenario.name, sentence: scenario.sentence })
    },
  )
}
