import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { sendJsonText } from '../http/answer'
import { isSome } from '../schemas'
import { hasNoBody, headersSchema } from '../http/sendable-headers'

const oauthEndpoints = ['token', 'authorize'] as const
type OAuthEndpoint = (typeof oauthEndpoints)[number]

const maxFields = 50
const maxQueued = 1000

export const queuedAnswerSchema = z.union(
  [
    z
      .strictObject({
        endpoint: z.enum(oauthEndpoints),
        status: z.int().min(200).max(599).describe('The request is not processed: a code stays valid'),
        headers: headersSchema,
        body: z.unknown().optional().describe('text as it is, anything else as JSON'),
      })
      .refine(({ status, body }) => body === undefined || !hasNoBody(status))
      .describe('Another answer'),
    z
      .strictObject({
        endpoint: z.enum(oauthEndpoints),
        change: z
          .record(z.string().min(1).max(200), z.unknown())
          .refine((change) => isSome(change) && Object.keys(change).length <= maxFields)
          .meta({ minProperties: 1 })
          .describe(
            'Fields of the normal answer to replace or add, in its JSON or, for authorize, in the parameters of the redirect; null removes one',
          ),
      })
      .describe('The normal answer with changes'),
  ],
  {
    error:
      'must be {"endpoint": "token" or "authorize"} with "change": {…} of 1 to 50 fields, or with "status", "headers"? and "body"?, which 204 and 304 have not',
  },
)
type QueuedAnswer = z.infer<typeof queuedAnswerSchema>
type OtherAnswer = Extract<QueuedAnswer, { status: number }>

/** The queued answers of the OAuth endpoints, in the order of their use. Each is used once. Not persisted. */
export class QueuedAnswers {
  #queued: QueuedAnswer[] = []

  get all(): readonly QueuedAnswer[] {
    return this.#queued
  }

  add(answer: QueuedAnswer): boolean {
    if (this.#queued.length >= maxQueued) return false
    this.#queued = [...this.#queued, answer]
    return true
  }

  clear(): void {
    this.#queued = []
  }

  /** Returns the next answer, if any, without using it. */
  next(endpoint: OAuthEndpoint): QueuedAnswer | undefined {
    return this.#queued.find((answer) => answer.endpoint === endpoint)
  }

  /** Returns the next answer for a request, if any, and notes in the journal that it made the answer. */
  take(endpoint: OAuthEndpoint, { journalRecord }: FastifyRequest): QueuedAnswer | undefined {
    const next = this.next(endpoint)
    if (next === undefined) return undefined
    this.#queued = this.#queued.filter((answer) => answer !== next)
    if (journalRecord !== null) journalRecord.by = 'queued answer'
    return next
  }
}

export function sendQueued(reply: FastifyReply, { status, headers = {}, body }: OtherAnswer): FastifyReply {
  for (const [name, value] of Object.entries(headers)) reply.header(name, value)
  if (body === undefined) return reply.code(status).send()
  if (typeof body === 'string') return reply.code(status).send(Buffer.from(body))
  return sendJsonText(reply, status, JSON.stringify(body))
}

export function withChanges(
  fields: Record<string, unknown>,
  queued: QueuedAnswer | undefined,
): Record<string, unknown> {
  if (queued === undefined || !('change' in queued)) return fields
  return Object.fromEntries(
    Object.entries({ ...fields, ...queued.change }).filter(([, value]) => value !== null),
  )
}

export const authorizeOutcomes = [
  'approve',
  'deny',
  'page',
  'error-page',
  'wrong-state',
  'no-state',
  'wrong-iss',
  'no-answer',
  'server-error',
  'invalid-scope-redirect',
] as const
export type AuthorizeOutcome = (typeof authorizeOutcomes)[number]

/** Overrides the outcome of authorization requests that the mock was started with. Not persisted. */
export class AuthorizeBehaviour {
  /** The outcome of the next `times` authorization requests; without `times`, of all. */
  decided: { next: AuthorizeOutcome; times?: number | undefined } | undefined

  /** Returns the outcome of this request and counts it; undefined without an override. */
  take(): AuthorizeOutcome | undefined {
    const { decided } = this
    if (decided?.times !== undefined) {
      const timesLeft = decided.times - 1
      this.decided = timesLeft > 0 ? { ...decided, times: timesLeft } : undefined
    }
    return decided?.next
  }
}
