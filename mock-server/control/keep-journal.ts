import type { FastifyRequest } from 'fastify'
import type { Clock } from '../clock'
import type { App } from '../http/app'
import { bodyText } from '../http/json-body'
import type { Journal, JournalRecord } from './journal'

declare module 'fastify' {
  interface FastifyRequest {
    /** Its place in the journal, for those that are written down. */
    journalRecord: JournalRecord | null
  }
}

/**
 * Writes each request for which `isWanted` into the journal, also those that are answered with an error. `onEnded` is
 * called when a request has been answered, or its connection is gone.
 */
export function keepJournal(
  app: App,
  journal: Journal,
  clock: Clock,
  isWanted: (request: FastifyRequest) => boolean,
  onEnded: (record: JournalRecord) => void,
): void {
  const keepBody = (request: FastifyRequest, record: JournalRecord) => {
    const text = bodyText(request)
    if (text !== undefined) journal.keepBody(record, text)
  }
  app.decorateRequest('journalRecord', null)
  app.addHook('onRequest', (request, reply, done) => {
    if (isWanted(request)) {
      const { method, url, raw } = request
      const record = journal.add(clock.now(), { method, url, headers: raw.headers }, reply.raw)
      request.journalRecord = record
      reply.raw.once('close', () => {
        // A body that could not be parsed has not been seen before.
        keepBody(request, record)
        record.end()
        onEnded(record)
      })
    }
    done()
  })
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.journalRecord !== null) keepBody(request, request.journalRecord)
    done()
  })
}
