import { z } from 'zod'
import { sendJson } from '../http/answer'
import type { App } from '../http/app'
import { wholeNumber } from '../http/whole-number'
import type { MockState } from '../mock-state'
import { journalEntrySchema, mostEntries } from './journal'
import { badInput, described, okSchema, sendOk } from './replies'

const filter = z.object({
  method: z.string().max(20).optional(),
  path: z.string().max(2000).optional().describe('a star at its end stands for the rest'),
  since: wholeNumber(0, Number.MAX_SAFE_INTEGER)
    .optional()
    .describe('only entries after the one with this id'),
  limit: wholeNumber(1, mostEntries).optional().describe('only the newest of them'),
})

/** Adds the control calls of the journal, `/_mock/requests`, and of the event stream, `/_mock/events`. */
export function addJournalControl(app: App, base: string, mockState: MockState): void {
  app.get(
    `${base}/requests`,
    {
      schema: {
        ...described(
          'Lists the requests in the journal',
          `The newest ${mostEntries}, complete with secrets. Control calls are not recorded.`,
        ),
        querystring: filter,
        response: { 200: z.array(journalEntrySchema).describe('Newest last.'), ...badInput },
      },
    },
    ({ query }, reply) => sendJson(reply, 200, mockState.journal.find(query)),
  )
  app.delete(
    `${base}/requests`,
    { schema: { ...described('Empties the journal'), response: { 200: okSchema } } },
    (_request, reply) => {
      mockState.clearJournal()
      return sendOk(reply)
    },
  )
  app.get(
    `${base}/events`,
    {
      schema: {
        ...described(
          'Streams events as Server-Sent Events',
          'Server-Sent Events: `request` (an entry of the journal, once it has ended), `journal` (it was emptied), `faults` ' +
            '(those in force), `clock` ({now}) and `scenario` ({name}). A listener that does not read is dropped.',
        ),
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
