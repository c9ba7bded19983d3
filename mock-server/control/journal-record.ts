import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import type { FastifyReply } from 'fastify'
import { pathOf, queryOf } from '../http/parameters'
import type { TokenStore } from '../vpn/token-store'
import { optional } from '../schemas'
import { type MatchedRequest, matchedRequest } from './request-match'
import type { Headers, SharedHeaders } from './shared-headers'

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
        body: optional(
          z.string(),
          'The text of the body, truncated at 64 KiB and before a fault cut it; missing for files and, in a long journal, for older entries',
        ),
      })
      .nullable()
      .describe('null until there is an answer, and on the network behind the tunnel'),
    by: optional(
      z.string(),
      'What made the answer: a fault with its id, a queued answer, or the active scenarios',
    ),
    nearestFault: optional(
      z.object({ id: z.string(), differences: z.array(z.string()) }),
      'For an unknown path: the fault that came nearest to answering it, and what is different',
    ),
  })
  .meta({ id: 'JournalEntry' })
export type JournalEntry = z.infer<typeof journalEntrySchema>

const maxBodyBytes = 64 * 1024
/** Largest number of UTF-8 bytes for one UTF-16 unit: a text shorter than a third of the limit always fits. */
const maxBytesPerCharacter = 3

export type RecordedRequest = Readonly<{ method: string; url: string; headers: IncomingHttpHeaders }>
export interface RecordedReply {
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

  end(answerHeaders: SharedHeaders<Headers>): void {
    const reply = this.#reply
    if (reply === undefined) return
    this.#status = statusOf(reply)
    this.#answerHeaders = answerHeaders.sharedOf(reply.getHeaders())
    this.#complete = reply.raw.writableFinished
    this.#durationMs = performance.now() - this.#startedAt
    this.#reply = undefined
  }

  matched(tokens: TokenStore): MatchedRequest {
    const isBodyCut = this.via === 'server' && this.#cutBodyBytes !== undefined
    return { ...matchedRequest(this.request, tokens, this.#body), isBodyCut }
  }

  entry(): JournalEntry {
    const { method, headers } = this.request
    const waiting = this.#reply
    const status = waiting === undefined ? this.#status : statusOf(waiting)
    const answerHeaders = waiting === undefined ? this.#answerHeaders : waiting.getHeaders()
    const body = this.#answerBody && Buffer.from(this.#answerBody).toString('utf8', 0, maxBodyBytes)
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
        status === null || this.via === 'tunnel' ? null : { status, headers: textsOf(answerHeaders), body },
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

function textsOf(headers: Headers): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, typeof value === 'object' ? [...value] : String(value)]],
    ),
  )
}
