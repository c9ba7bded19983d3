import { z } from 'zod'
import type { App } from '../http/app'
import { wholeNumber } from '../http/whole-number'
import type { MockState } from '../mock-state'
import { ControlRefusal, type ControlCalls } from './control-calls'
import { activeFaultSchema, faultRuleSchema, maxFaults } from './faults'
import { journalEntrySchema, maxEntries, methodName, pathPattern } from './journal'
import { scenarioParts, scenariosOf } from './scenarios'
import { messageOf } from '../errors'

const maxSeconds = 1e9
const clockChange = z.union(
  [
    z.strictObject({ advanceSeconds: z.number().min(-maxSeconds).max(maxSeconds) }),
    z.strictObject({ now: z.iso.datetime({ offset: true }) }),
  ],
  { error: 'must be {"advanceSeconds": n} with n from -1e9 to 1e9, or {"now": "2026-11-20T12:00:00Z"}' },
)
const earliest = Date.parse('1970-01-01T00:00:00Z')
const latest = Date.parse('9000-01-01T00:00:00Z')

/** Adds the calls for the whole mock: reset, clock, faults, scenarios and the journal. */
export function addGeneralCalls(calls: ControlCalls, mockState: MockState): void {
  const { faults } = mockState
  calls.add('POST /reset', {
    summary: 'Resets everything to the seed data',
    run: () => {
      mockState.reset()
    },
  })
  calls.add('POST /clock', {
    summary: 'Moves the clock',
    description: 'Tokens, codes, certificates and pre-signed URLs expire by this clock.',
    body: clockChange,
    answer: z.object({ now: z.string() }).describe('The new time.'),
    refusals: { 409: 'The clock would leave the years 1970 to 8999.' },
    run: ({ body }) => {
      const { clock } = mockState
      const now = 'now' in body ? Date.parse(body.now) : clock.now().getTime() + body.advanceSeconds * 1000
      if (now < earliest || now >= latest) {
        throw new ControlRefusal(409, 'The clock goes from 1970 to 8999 only. Choose a time between.')
      }
      mockState.moveClock(body)
      return { now: clock.now().toISOString() }
    },
  })

  calls.add('GET /faults', {
    summary: 'Lists the active faults',
    answer: z.array(activeFaultSchema).describe('The faults in the order in which they apply, oldest first.'),
    run: () => faults.rules,
  })
  calls.add('POST /faults', {
    summary: 'Adds a fault for the next matching requests',
    description: 'The oldest matching fault applies. Control calls are never affected.',
    body: faultRuleSchema,
    answer: z
      .object({ ok: z.literal(true), id: z.string().describe('For DELETE /_mock/faults/{id}') })
      .describe('The fault is active.'),
    refusals: { 409: 'There are too many faults already.' },
    run: ({ body }) => {
      if (faults.rules.length >= maxFaults) {
        throw new ControlRefusal(409, `There are ${maxFaults} faults already. Clear some first.`)
      }
      return { ok: true, id: faults.add(body).id }
    },
  })
  calls.add('DELETE /faults', {
    summary: 'Clears the faults',
    run: () => {
      faults.clear()
    },
  })
  calls.add('DELETE /faults/:id', {
    summary: 'Clears one fault',
    params: z.object({ id: z.string().max(100) }),
    refusals: { 404: 'There is no fault with this id.' },
    run: ({ params }) => {
      if (faults.remove(params.id)) return
      throw new ControlRefusal(404, 'There is no fault with this id. It may have applied for the last time.')
    },
  })
  addScenarioCalls(calls, mockState)

  calls.add('GET /requests', {
    summary: 'Lists the requests in the journal',
    description: `The newest ${maxEntries}, complete with secrets. Control calls are not recorded.`,
    query: z.strictObject({
      method: methodName.optional(),
      path: pathPattern.optional(),
      since: wholeNumber(0, Number.MAX_SAFE_INTEGER)
        .optional()
        .describe('Only entries after the one with this id'),
      limit: wholeNumber(1, maxEntries).optional().describe('Only the newest of them'),
    }),
    answer: z.array(journalEntrySchema).describe('Newest last.'),
    run: ({ query }) => mockState.journal.find(query),
  })
  calls.add('DELETE /requests', {
    summary: 'Empties the journal',
    run: () => {
      mockState.clearJournal()
    },
  })
}

function addScenarioCalls(calls: ControlCalls, mockState: MockState): void {
  const scenarios = scenariosOf(mockState)
  calls.add('GET /scenarios', {
    summary: 'Lists the scenarios',
    description: 'The active one is in `GET /_mock`.',
    answer: z
      .array(z.object({ name: z.string(), part: z.enum(scenarioParts), sentence: z.string() }))
      .describe('Each with what clients experience while it is active.'),
    run: () => scenarios.map(({ name, part, sentence }) => ({ name, part, sentence })),
  })
  calls.add('POST /scenarios/:name', {
    summary: 'Applies a scenario',
    description:
      'It replaces the previous scenario and all faults, and keeps what clients did. all-well ends the active scenario.',
    params: z.object({ name: z.string().max(200) }),
    answer: z.object({ name: z.string(), sentence: z.string() }).describe('The scenario is active.'),
    refusals: {
      404: 'There is no scenario with this name; the error lists similar names.',
      409: 'This mock was started without something that the scenario needs; the error says what.',
    },
    run: async ({ params }) => {
      const scenario = scenarios.find(({ name }) => name === params.name)
      if (scenario === undefined) {
        const similar = similarNames(
          params.name,
          scenarios.map(({ name }) => name),
        )
        const hint = similar.length === 0 ? '' : ` Did you mean ${similar.join(', ')}?`
        throw new ControlRefusal(
          404,
          `There is no scenario with this name.${hint} GET /_mock/scenarios lists all.`,
        )
      }
      try {
        mockState.apply(scenario)
        await mockState.vpn.wireguard.settled()
      } catch (error) {
        const reason = messageOf(error)
        throw new ControlRefusal(409, `This scenario cannot be set up here. ${reason}`)
      }
      return { name: scenario.name, sentence: scenario.sentence }
    },
  })
}

/** Returns the names that have most words, or beginnings of words, in common with an unknown one. */
function similarNames(wanted: string, names: readonly string[]): string[] {
  const beginnings = wanted
    .toLowerCase()
    .split('-')
    .map((word) => word.slice(0, 5))
    .filter((word) => word.length > 2)
  const common = (name: string) => beginnings.filter((word) => name.includes(word)).length
  return names
    .filter((name) => common(name) > 0)
    .sort((one, other) => common(other) - common(one))
    .slice(0, 3)
}

/** Adds `GET /events` below `base`, the stream of Server-Sent Events. */
export function addEventStream(app: App, base: string, mockState: MockState, tag: string): void {
  // Open event streams would keep the server from closing.
  app.addHook('preClose', (done) => {
    mockState.events.close()
    done()
  })
  app.get(
    `${base}/events`,
    {
      schema: {
        tags: [tag],
        summary: 'Streams events as Server-Sent Events',
        description:
          'Server-Sent Events: `request` (an entry of the journal, once it has ended), `journal` (it was emptied), `faults` ' +
          '(the active ones), `clock` ({now}) and `scenario` ({name}). A client that does not read is disconnected.',
        response: {
          200: {
            description: 'A stream that lasts until the client disconnects.',
            content: { 'text/event-stream': { schema: z.string() } },
          },
        },
      },
    },
    (_request, reply) => {
      reply.hijack()
      mockState.events.listen(reply.raw)
    },
  )
}
