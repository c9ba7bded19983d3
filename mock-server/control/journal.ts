import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { z } from 'zod'
import type { FastifyRequest } from 'fastify'
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
import { areSame, rememberLast } from '../remember-last'

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

/**
 * One recorded request. Recording is cheap, because it happens for every request; `entry` does the formatting. The journal
 * uses the records of dropped requests again: new objects that live for thousands of requests keep the garbage collector
 * busy.
 */
export class JournalRecord {
  id = 0
  via: JournalEntry['via'] = 'server'
  request: RecordedRequest = { method: '', url: '', headers: {} }
  /** Milliseconds since 1970, by the mock's clock. */
  #time = 0
  #startedAt = 0
  /** Undefined once the request has ended. */
  #response: ServerResponse | undefined
  #status: number | null = null
  #durationMs = 0
  #complete = false
  #body: string | undefined
  #cutBodyBytes: number | undefined

  begin(id: number, time: number, request: RecordedRequest, response?: ServerResponse): this {
    this.id = id
    this.via = 'server'
    this.request = request
    this.#time = time
    this.#startedAt = performance.now()
    this.#response = response
    this.#body = undefined
    this.#cutBodyBytes = undefined
    return this
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
    return this.#response === undefined
  }

  get hasBody(): boolean {
    return this.#body !== undefined
  }

  get bodyCost(): number {
    return this.#body === undefined ? 0 : this.#body.length * 2
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
    const response = this.#response
    if (response === undefined) return
    this.#status = response.headersSent ? response.statusCode : null
    this.#complete = response.writableFinished
    this.#durationMs = performance.now() - this.#startedAt
    this.#response = undefined
  }

  matched(tokens: TokenStore): MatchedRequest {
    return matchedRequest(this.request, tokens, this.#body)
  }

  entry(): JournalEntry {
    const { method, headers } = this.request
    const waiting = this.#response
    return {
      id: this.id,
      time: new Date(this.#time).toISOString(),
      via: this.via,
      method,
      path: pathOf(this.request),
      query: queryOf(this.request),
      headers: Object.fromEntries(
        Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
      ),
      body: this.#body ?? null,
      bodyBytes: this.#bodyBytes(),
      status: waiting === undefined ? this.#status : waiting.headersSent ? waiting.statusCode : null,
      durationMs: waiting === undefined ? Math.round(this.#durationMs * 10) / 10 : null,
      outcome: waiting !== undefined ? 'open' : this.#complete ? 'answered' : 'broken-off',
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
  #spare: JournalRecord | undefined
  readonly #waiting = new Set<() => void>()

  get size(): number {
    return this.#records.length - this.#first
  }

  add(time: number, request: RecordedRequest, response?: ServerResponse): JournalRecord {
    const record = (this.#spare ?? new JournalRecord()).begin(this.#nextId, time, request, response)
    this.#spare = undefined
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
      if (dropped?.hasEnded === true) this.#spare = dropped
      this.#records[this.#first] = undefined
      this.#first += 1
      this.hasDropped = true
    }
    if (this.#first > maxEntries) {
      this.#records = this.#records.slice(this.#first)
      this.#first = 0
    }
  }
}

/** Returns what the journal keeps of a request, or the equal object of the one before: clients send many. */
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

/** Records wanted requests in the journal of their world, and dates their answers by the clock of the world. */
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
