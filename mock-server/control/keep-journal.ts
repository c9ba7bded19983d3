import type { FastifyRequest } from 'fastify'
import type { App } from '../http/app'
import { bodyText } from '../http/json-body'
import { areSame, rememberLast } from '../remember-last'
import type { Journal, JournalRecord } from './journal'

declare module 'fastify' {
  interface FastifyRequest {
    journalRecord: JournalRecord | null
  }
}

/**
 * Returns a function that returns what the journal keeps of a request, or the equal object of the request before: clients send
 * many equal requests.
 */
function recordedParts(): (request: FastifyRequest) => Parameters<Journal['add']>[1] {
  let rawHeaders: readonly string[] = []
  let parts: Parameters<Journal['add']>[1] = { method: '', url: '', headers: {} }
  return ({ method, url, raw }) => {
    const sameHeaders = areSame(raw.rawHeaders, rawHeaders)
    if (!sameHeaders || url !== parts.url || method !== parts.method) {
      parts = { method, url, headers: sameHeaders ? parts.headers : raw.headers }
      rawHeaders = raw.rawHeaders
    }
    return parts
  }
}

/**
 * Records each request for which `isWanted` returns true in the journal of its world, including those answered with an
 * error, and dates its answer by the clock of the world.
 */
export function keepJournal(app: App, isWanted: (request: FastifyRequest) => boolean): void {
  const dateText = rememberLast((seconds: number) => new Date(seconds * 1000).toUTCString())
  const partsOf = recordedParts()
  const keepBody = (request: FastifyRequest, record: JournalRecord) => {
    const text = bodyText(request)
    if (text !== undefined) request.world.journal.keepBody(record, text)
  }
  app.decorateRequest('journalRecord', null)
  app.addHook('onRequest', (request, reply, done) => {
    if (isWanted(request)) {
      const { clock, events, journal } = request.world
      const now = clock.now().getTime()
      const record = journal.add(now, partsOf(request), reply.raw)
      request.journalRecord = record
      reply.header('date', dateText(Math.floor(now / 1000)))
      reply.raw.on('close', () => {
        // A body that cannot be parsed never reaches preValidation.
        keepBody(request, record)
        record.end()
        journal.changed()
        events.publish('request', () => record.entry())
      })
    }
    done()
  })
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.journalRecord !== null) keepBody(request, request.journalRecord)
    done()
  })
}
