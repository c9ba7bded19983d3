import { z } from 'zod'
import { sendJson } from '../http/answer'
import type { App } from '../http/app'
import { wholeNumber } from '../http/whole-number'
import type { World } from '../world'
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

/** `/_mock/requests` and `/_mock/events`: what clients sent, afterwards and as it happens. */
export function addJournalControl(app: App, base: string, world: World): void {
  app.get(
    `${base}/requests`,
    {
      schema: {
        ...described(
          'Lists the requests in the journal',
          `The newest ${mostEntries}, whole with their secrets: this is a mock. Calls to the control are not in it.`,
        ),
        querystring: filter,
        response: { 200: z.array(journalEntrySchema).describe('Newest last.'), ...badInput },
      },
    },
    ({ query }, reply) => sendJson(reply, 200, world.journal.find(query)),
  )
  app.delete(
    `${base}/requests`,
    { schema: { ...described('Empties the journal'), response: { 200: okSchema } } },
    (_request, reply) => {
      world.clearJournal()
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
            description: 'Goes on until the client leaves.',
            content: { 'text/event-stream': { schema: z.string() } },
          },
        },
      },
    },
    (_request, reply) => {
      reply.hijack()
      world.events.listen(reply.raw)
    },
  )
}
