import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { pathOf, queryOf, wholeNumber } from '../http/parameters'
import type { BehindEvent } from '../vpn/behind/behind'
import type { TokenStore } from '../vpn/token-store'
import {
  type MatchedRequest,
  matchedRequest,
  methodName,
  methodsBehind,
  pathFits,
  pathPattern,
} from './request-match'
import type { App } from '../http/app'
import { bodyText } from '../http/json-body'

const textOrTexts = z.union([z.string(), z.array(z.string())])

export const journalEntrySchema = z
  .object({
    id: z.int().describe('A serial number, which continues after a reset'),
    time: z.string().describe("The time of arrival by the mock's clock"),
    via: z
      .enum(['server', 'tunnel'])
      .describe(
        'tunnel: seen on the network behind the tunnel, whose addresses are in the headers from and to',
      ),
    method: z
      .string()
      .describe('Of HTTP; on the network behind the tunnel also DNS, ICMP, TCP, UDP and DISCARD (the sink)'),
    path: z
      .string()
      .describe('On the network behind the tunnel: /name of a DNS query, /destination of a packet'),
    query: z.record(z.string(), textOrTexts),
    headers: z.record(z.string(), textOrTexts),
    body: z
      .string()
      .nullable()
      .describe('The text of the body, truncated at 64 KiB; null for an empty body or a file'),
    bodyBytes: z.int().nullable().describe('The length of the whole body; null if unknown'),
    status: z.int().nullable().describe('null until there is an answer; the response code of DNS'),
    durationMs: z.number().nullable().describe('null until it has ended'),
    outcome: z
      .enum(['open', 'answered', 'broken-off'])
      .describe('broken-off: the connection ended before the answer was complete'),
    answer: z
      .object({
        status: z.int(),
        headers: z.record(z.string(), textOrTexts),
        body: z
          .string()
          .optional()
          .describe(
            'The text of the body, truncated at 64 KiB and before a fault cut it; missing for files and, in a long journal, for older entries',
          ),
      })
      .nullable()
      .describe('null until there is an answer, and on the network behind the tunnel'),
    by: z
      .string()
      .optional()
      .describe('What made the answer: a fault with its id, a queued answer, or the active scenarios'),
    nearestFault: z
      .object({ id: z.string(), differences: z.array(z.string()) })
      .optional()
      .describe('For an unknown path: the fault that came nearest to answering it, and what is different'),
  })
  .meta({ id: 'JournalEntry' })
export type JournalEntry = z.infer<typeof journalEntrySchema>

/** Limits on the number of entries and the total length of their bodies; the oldest entries are dropped first. */
export const maxEntries = 5000
const maxTotalBytes = 32 * 1024 * 1024
const maxBodyBytes = 64 * 1024
/** Largest number of UTF-8 bytes for one UTF-16 unit: a text shorter than a third of the limit always fits. */
const maxBytesPerCharacter = 3

/** Timers of the machine, kept because tests in this process may replace the global ones. */
const real = { setTimeout, clearTimeout, now: performance.now.bind(performance) }

type RecordedRequest = Readonly<{ method: string; url: string; headers: IncomingHttpHeaders }>
type Headers = Readonly<Record<string, string | number | readonly string[] | undefined>>
interface RecordedReply {
  getHeaders: () => Headers
  raw: Pick<FastifyReply['raw'], 'headersSent' | 'statusCode' | 'writableFinished'>
}

const statusOf = ({ raw }: RecordedReply) => (raw.headersSent ? raw.statusCode : null)

/** One recorded request. Recording is cheap, because it happens for every request; `entry` does the formatting. */
export class JournalRecord {
  readonly id: number
  via: JournalEntry['via'] = 'server'
  readonly request: RecordedRequest
  /** What made the answer. */
  by: string | undefined
  nearestFault: JournalEntry['nearestFault']
  /** Milliseconds since 1970, by the mock's clock. */
  readonly #time: number
  readonly #startedAt = performance.now()
  /** Undefined once the request has ended. */
  #reply: RecordedReply | undefined
  #status: number | null = null
  #answerHeaders: Headers = {}
  #answerBody: string | Buffer | undefined
  #durationMs = 0
  #complete = false
  #body: string | undefined
  #cutBodyBytes: number | undefined

  constructor(id: number, time: number, request: RecordedRequest, reply?: RecordedReply) {
    this.id = id
    this.request = request
    this.#time = time
    this.#reply = reply
  }

  endAs(status: number | null, bytes: number | undefined): this {
    this.via = 'tunnel'
    this.#status = status
    this.#complete = true
    this.#durationMs = 0
    this.#cutBodyBytes = bytes
    return this
  }

  get hasEnded(): boolean {
    return this.#reply === undefined
  }

  get hasBody(): boolean {
    return this.#body !== undefined
  }

  get bodyCost(): number {
    return this.#body === undefined ? 0 : this.#body.length * 2
  }

  get answerCost(): number {
    const body = this.#answerBody
    return typeof body === 'string' ? body.length * 2 : (body?.length ?? 0)
  }

  /** Keeps the body of the answer as it is, unless it is a stream: a copy of each long answer would take as long as sending it. */
  keepAnswer(payload: unknown): void {
    this.#answerBody = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : undefined
  }

  dropAnswer(): void {
    this.#answerBody = undefined
  }

  keepBody(text: string): void {
    const mayBeLong = text.length > maxBodyBytes / maxBytesPerCharacter
    const bytes = mayBeLong ? Buffer.from(text) : undefined
    if (bytes === undefined || bytes.length <= maxBodyBytes) {
      this.#body = text
    } else {
      this.#body = bytes.toString('utf8', 0, maxBodyBytes)
      this.#cutBodyBytes = bytes.length
    }
  }

  end(): void {
    const reply = this.#reply
    if (reply === undefined) return
    this.#status = statusOf(reply)
    this.#answerHeaders = reply.getHeaders()
    this.#complete = reply.raw.writableFinished
    this.#durationMs = performance.now() - this.#startedAt
    this.#reply = undefined
  }

  matched(tokens: TokenStore): MatchedRequest {
    return matchedRequest(this.request, tokens, this.#body)
  }

  entry(): JournalEntry {
    const { method, headers } = this.request
    const waiting = this.#reply
    const status = waiting === undefined ? this.#status : statusOf(waiting)
    const answerHeaders = waiting === undefined ? this.#answerHeaders : waiting.getHeaders()
    return {
      id: this.id,
      time: new Date(this.#time).toISOString(),
      via: this.via,
      method,
      path: pathOf(this.request),
      query: queryOf(this.request),
      headers: textsOf(headers),
      body: this.#body ?? null,
      bodyBytes: this.#bodyBytes(),
      status,
      durationMs: waiting === undefined ? Math.round(this.#durationMs * 10) / 10 : null,
      outcome: waiting !== undefined ? 'open' : this.#complete ? 'answered' : 'broken-off',
      answer:
        status === null || this.via === 'tunnel'
          ? null
          : { status, headers: textsOf(answerHeaders), body: beginning(this.#answerBody) },
      by: this.by,
      nearestFault: this.nearestFault,
    }
  }

  #bodyBytes(): number | null {
    if (this.#cutBodyBytes !== undefined) return this.#cutBodyBytes
    if (this.#body !== undefined) return Buffer.byteLength(this.#body)
    const { headers } = this.request
    const announced = Number(headers['content-length'])
    if (Number.isSafeInteger(announced)) return announced
    return headers['transfer-encoding'] === undefined ? 0 : null
  }
}

const beginning = (body: string | Buffer | undefined) =>
  body === undefined ? undefined : Buffer.from(body).toString('utf8', 0, maxBodyBytes)

function textsOf(headers: Headers): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, typeof value === 'object' ? [...value] : String(value)]],
    ),
  )
}

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
  /** Records before `#first` have been dropped. The array is shortened occasionally, not on every request. */
  #records: (JournalRecord | undefined)[] = []
  #first = 0
  /** True if requests since the last `clear` are no longer here. */
  hasDropped = false
  #isClosed = false
  #bodyCost = 0
  #nextId = 1
  #answerCost = 0
  /** The index of the oldest record that may have the body of its answer. */
  #firstAnswer = 0
  readonly #waiting = new Set<() => void>()

  get size(): number {
    return this.#records.length - this.#first
  }

  add(time: number, request: RecordedRequest, reply?: RecordedReply): JournalRecord {
    const record = new JournalRecord(this.#nextId, time, request, reply)
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
    this.#first = 0
    this.#bodyCost = 0
    this.#answerCost = 0
    this.#firstAnswer = 0
    this.hasDropped = false
  }

  get records(): JournalRecord[] {
    return this.#records.slice(this.#first).filter((record) => record !== undefined)
  }

  #oldestId(): number {
    return this.#records[this.#first]?.id ?? this.#nextId
  }

  #shorten(): void {
    while (this.size > maxEntries || this.#bodyCost > maxTotalBytes) {
      const dropped = this.#records[this.#first]
      this.#bodyCost -= dropped?.bodyCost ?? 0
      this.#answerCost -= dropped?.answerCost ?? 0
      this.#records[this.#first] = undefined
      this.#first += 1
      this.hasDropped = true
    }
    if (this.#first > maxEntries) {
      this.#records = this.#records.slice(this.#first)
      this.#firstAnswer = Math.max(this.#firstAnswer - this.#first, 0)
      this.#first = 0
    }
  }
}

/** Records wanted requests in the journal of their world, and dates their answers by the clock of the world. */
export function keepJournal(app: App, isWanted: (request: FastifyRequest) => boolean): void {
  const keepBody = (request: FastifyRequest, record: JournalRecord) => {
    const text = bodyText(request)
    if (text !== undefined) request.world.journal.keepBody(record, text)
  }
  app.decorateRequest('journalRecord', null)
  app.addHook('onRequest', (request, reply, done) => {
    if (isWanted(request)) {
      const { method, raw, url, world } = request
      const { clock, events, journal } = world
      const now = clock.now().getTime()
      const record = journal.add(now, { method, url, headers: raw.headers }, reply)
      request.journalRecord = record
      reply.header('date', new Date(now).toUTCString())
      reply.raw.on('close', () => {
        // A body that cannot be parsed never reaches preValidation.
        keepBody(request, record)
        record.end()
        if (world.scenarios.length > 0) record.by ??= `scenario ${world.scenario}`
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
  // Before the faults, which may send the answer by themselves.
  app.addHook('onSend', (request, _reply, payload, done) => {
    if (request.journalRecord !== null) request.world.journal.keepAnswer(request.journalRecord, payload)
    done(null, payload)
  })
}
