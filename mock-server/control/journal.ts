import type { FastifyRequest } from 'fastify'
import type { App } from '../http/app'
import type { Clock } from '../clock'
import { bodyText } from '../http/json-body'
import { pathOf, queryOf, type Parameters } from '../http/parameters'

/** One request as it arrived. `body` is its text, null without one; `status` is null until it was answered. */
export interface JournalEntry {
  time: string
  method: string
  path: string
  query: Parameters
  headers: Record<string, string | string[] | undefined>
  body: string | null
  status: number | null
}

/** The oldest entries go when there are more than this. */
const mostEntries = 5000

/** Every request outside the control address space, newest last. */
export class Journal {
  #entries: JournalEntry[] = []

  get entries(): readonly JournalEntry[] {
    return this.#entries
  }

  add(entry: JournalEntry): void {
    this.#entries.push(entry)
    if (this.#entries.length > mostEntries) this.#entries.shift()
  }

  clear(): void {
    this.#entries = []
  }
}

/** Writes each request for which `isWanted` into the journal, also those that are answered with an error. */
export function keepJournal(
  app: App,
  journal: Journal,
  clock: Clock,
  isWanted: (request: FastifyRequest) => boolean,
): void {
  const entryOf = new WeakMap<FastifyRequest, JournalEntry>()
  app.addHook('onRequest', (request, _reply, done) => {
    if (isWanted(request)) {
      const entry: JournalEntry = {
        time: clock.now().toISOString(),
        method: request.method,
        path: pathOf(request),
        query: queryOf(request),
        headers: { ...request.headers },
        body: null,
        status: null,
      }
      entryOf.set(request, entry)
      journal.add(entry)
    }
    done()
  })
  app.addHook('preValidation', (request, _reply, done) => {
    const entry = entryOf.get(request)
    if (entry !== undefined) entry.body = bodyText(request) ?? null
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const entry = entryOf.get(request)
    if (entry !== undefined) entry.status = reply.statusCode
    done()
  })
}
