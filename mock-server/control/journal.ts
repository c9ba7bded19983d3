import { z } from 'zod'
import type { FastifyRequest } from 'fastify'
import { pathOf, wholeNumber } from '../http/parameters'
import type { BehindEvent } from '../vpn/behind/behind'
import { methodName, methodsBehind, pathFits, pathPattern } from './request-match'
import type { App } from '../http/app'
import { bodyText } from '../http/json-body'
import { type JournalEntry, JournalRecord, type RecordedReply, type RecordedRequest } from './journal-record'
import { type Headers, SharedHeaders } from './shared-headers'
import { rememberLast } from '../remember-last'

/** Limits on the number of entries and the total length of their bodies; the oldest entries are dropped first. */
export const maxEntries = 5000
const maxTotalBytes = 32 * 1024 * 1024

/** Timers of the machine, kept because tests in this process may replace the global ones. */
const real = { setTimeout, clearTimeout, now: performance.now.bind(performance) }

export const journalFilter = z
  .strictObject({
    method: methodName.optional(),
    path: pathPattern.optional(),
    via: z.enum(['server', 'tunnel']).optional(),
    since: wholeNumber(0, Number.MAX_SAFE_INTEGER)
      .optional()
      .describe('Only entries after the one with this id'),
    limit: wholeNumber(1, maxEntries).optional().describe('Only the newest of them'),
  })
  .refine(({ method = '', via }) => via !== 'server' || !methodsBehind.includes(method.toUpperCase()), {
    path: ['via'],
    error: 'must be tunnel with this method',
  })

/** All requests except control calls, newest last, within limits of memory. */
export class Journal {
  #records: JournalRecord[] = []
  /** True if requests since the last `clear` are no longer here. */
  hasDropped = false
  #isClosed = false
  #bodyCost = 0
  #nextId = 1
  #answerCost = 0
  /** The index of the oldest record that may have the body of its answer. */
  #firstAnswer = 0
  #lastRequest: RecordedRequest = { method: '', url: '', headers: {} }
  readonly #requestHeaders = new SharedHeaders<RecordedRequest['headers']>()
  readonly #answerHeaders = new SharedHeaders<Headers>()
  readonly #waiting = new Set<() => void>()

  add(time: number, request: RecordedRequest, reply?: RecordedReply): JournalRecord {
    const record = new JournalRecord(this.#nextId, time, this.#shared(request), reply)
    this.#nextId += 1
    this.#records.push(record)
    this.#shorten()
    this.changed()
    return record
  }

  note(
    time: number,
    { method, path, query = {}, headers, from, to, status, bytes }: BehindEvent,
  ): JournalRecord {
    const search = new URLSearchParams(query).toString()
    const url = search === '' ? path : `${path}?${search}`
    const record = this.add(time, { method, url, headers: { ...headers, from, to } })
    return record.endAs(status ?? null, bytes)
  }

  keepBody(record: JournalRecord, text: string): void {
    if (record.hasBody || record.hasEnded || record.id < this.#oldestId()) return
    record.keepBody(text)
    this.#bodyCost += record.bodyCost
    this.#shorten()
    this.changed()
  }

  /** Keeps the body of an answer. Beyond a total length, the bodies of older answers are dropped; their requests are not. */
  keepAnswer(record: JournalRecord, payload: unknown): void {
    if (record.hasEnded || record.id < this.#oldestId()) return
    this.#answerCost -= record.answerCost
    record.keepAnswer(payload)
    this.#answerCost += record.answerCost
    while (this.#answerCost > maxTotalBytes) {
      const oldest = this.#records[this.#firstAnswer]
      this.#firstAnswer += 1
      this.#answerCost -= oldest?.answerCost ?? 0
      oldest?.dropAnswer()
    }
  }

  /** Records the status and the headers of the answer, and whether it was complete. */
  end(record: JournalRecord): void {
    record.end(this.#answerHeaders)
    this.changed()
  }

  /** Resolves once a condition holds, which is checked at every change, or after this time. */
  async until(isMet: () => boolean, ms: number): Promise<void> {
    const ends = real.now() + ms
    while (!this.#isClosed && !isMet() && real.now() < ends) {
      await new Promise<void>((resolve) => {
        const timer = real.setTimeout(resolve, ends - real.now())
        this.#waiting.add(() => {
          real.clearTimeout(timer)
          resolve()
        })
      })
    }
  }

  close(): void {
    this.#isClosed = true
    this.changed()
  }

  changed(): void {
    if (this.#waiting.size === 0) return
    for (const wake of this.#waiting) wake()
    this.#waiting.clear()
  }

  find(filter: z.output<typeof journalFilter> = {}): JournalEntry[] {
    const { method, path, via, since = 0, limit = maxEntries } = filter
    const wanted = this.records.filter(
      (record) =>
        record.id > since &&
        (via === undefined || record.via === via) &&
        (method === undefined || record.request.method === method.toUpperCase()) &&
        (path === undefined || pathFits(path, pathOf(record.request))),
    )
    return wanted.slice(-limit).map((record) => record.entry())
  }

  clear(): void {
    this.#records = []
    this.#bodyCost = 0
    this.#answerCost = 0
    this.#firstAnswer = 0
    this.hasDropped = false
  }

  get records(): readonly JournalRecord[] {
    return this.#records
  }

  /** Returns the previous request if this one is equal. */
  #shared({ method, url, headers: given }: RecordedRequest): RecordedRequest {
    const headers = this.#requestHeaders.sharedOf(given)
    const last = this.#lastRequest
    if (last.method !== method || last.url !== url || last.headers !== headers)
      this.#lastRequest = { method, url, headers }
    return this.#lastRequest
  }

  #oldestId(): number {
    return this.#records[0]?.id ?? this.#nextId
  }

  #shorten(): void {
    while (this.#records.length > maxEntries || this.#bodyCost > maxTotalBytes) {
      const dropped = this.#records.shift()
      this.#bodyCost -= dropped?.bodyCost ?? 0
      this.#answerCost -= dropped?.answerCost ?? 0
      this.#firstAnswer = Math.max(this.#firstAnswer - 1, 0)
      this.hasDropped = true
    }
  }
}

/** Records wanted requests in the journal of their world, and dates their answers by the clock of the world. */
export function keepJournal(app: App, isWanted: (request: FastifyRequest) => boolean): void {
  const keepBody = (request: FastifyRequest, record: JournalRecord) => {
    const text = bodyText(request)
    if (text !== undefined) request.world.journal.keepBody(record, text)
  }
  const dateOf = rememberLast((second: number) => new Date(second * 1000).toUTCString())
  app.decorateRequest('journalRecord', null)
  app.addHook('onRequest', (request, reply, done) => {
    if (isWanted(request)) {
      const { method, raw, url, world } = request
      const { clock, events, journal } = world
      const now = clock.now().getTime()
      const record = journal.add(now, { method, url, headers: raw.headers }, reply)
      request.journalRecord = record
      reply.header('date', dateOf(Math.floor(now / 1000)))
      reply.raw.on('close', () => {
        // A body that cannot be parsed never reaches preValidation.
        keepBody(request, record)
        if (world.scenarios.length > 0) record.by ??= `scenario ${world.scenario}`
        journal.end(record)
        events.publish('request', () => record.entry())
      })
    }
    done()
  })
  app.addHook('preValidation', (request, _reply, done) => {
    if (request.journalRecord !== null) keepBody(request, request.journalRecord)
    done()
  })
  // Before the faults, which may send the answer by themselves.
  app.addHook('onSend', (request, _reply, payload, done) => {
    if (request.journalRecord !== null) request.world.journal.keepAnswer(request.journalRecord, payload)
    done(null, payload)
  })
}
