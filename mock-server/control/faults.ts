import { z } from 'zod'
import { areSendable } from '../http/sendable-headers'
import { fits, fitsBeforeBody, matchSchema, type MatchedRequest } from './request-match'

const maxMs = 600_000
const maxHeaders = 50
/** Exceeds the largest file that the storage accepts. */
const maxBytes = 2 ** 40

const delayFault = z.strictObject({ delayMs: z.int().min(0).max(maxMs) })
const slowBodyFault = z.strictObject({ slowBodyMs: z.int().min(1).max(maxMs) })
const resetFault = z.strictObject({
  reset: z.literal(true),
  afterBytes: z.int().min(1).max(maxBytes).optional().describe('of the body of the request; else all of it'),
})
const truncateFault = z.strictObject({ truncate: z.literal(true) })
const malformedFault = z.strictObject({ malformed: z.literal(true) })
const answerFault = z
  .strictObject({
    status: z.int().min(200).max(599).optional(),
    headers: z
      .record(z.string(), z.string().max(8192))
      .refine((headers) => Object.keys(headers).length <= maxHeaders, 'has too many headers')
      .refine(areSendable, 'not a valid HTTP header')
      .optional(),
    body: z.unknown().optional().describe('text as it is, anything else as JSON'),
  })
  .refine((fault) => Object.keys(fault).length > 0)
  .meta({ minProperties: 1 })

/** A way in which an answer goes wrong. */
export const faultSchema = z
  .union([delayFault, slowBodyFault, resetFault, truncateFault, malformedFault, answerFault], {
    error:
      'must be {"delayMs": 0–600000}, {"slowBodyMs": 1–600000}, {"reset": true, "afterBytes"?: n}, {"truncate": true}, ' +
      '{"malformed": true}, or at least one of {"status": 200–599, "headers": {…}, "body": …} with headers that HTTP allows',
  })
  .describe('How the answer goes wrong')
export type Fault = z.infer<typeof faultSchema>
export type AnswerFault = z.infer<typeof answerFault>

/** A fault as sent to `POST /_mock/faults`. A path that ends in `*` matches every path with that prefix. */
export const faultRuleSchema = z.strictObject({
  match: matchSchema.default({}),
  every: z.int().min(1).max(1e6).optional().describe('strikes each n-th matching request only'),
  times: z
    .int()
    .min(1)
    .max(1e9)
    .optional()
    .describe('how often it strikes; until it is cleared unless given'),
  fault: faultSchema,
})
export type FaultRule = z.infer<typeof faultRuleSchema>

/** An active fault. */
export const activeFaultSchema = faultRuleSchema.extend({ id: z.string() })
export type ActiveFault = z.infer<typeof activeFaultSchema>

/** Largest number of active faults. */
export const maxFaults = 1000

interface Waiting {
  rule: ActiveFault
  matched: number
}

/** The active faults, oldest first. */
export class FaultList {
  #waiting: Waiting[] = []
  #nextId = 1
  readonly #onChange: () => void

  constructor(onChange: () => void = () => undefined) {
    this.#onChange = onChange
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0
  }

  /** The active rules; their `times` is what remains. */
  get rules(): readonly ActiveFault[] {
    return this.#waiting.map(({ rule }) => rule)
  }

  add(rule: FaultRule): ActiveFault {
    const active = { ...rule, id: String(this.#nextId) }
    this.#nextId += 1
    this.#waiting.push({ rule: active, matched: 0 })
    this.#onChange()
    return active
  }

  /** Removes a fault; returns whether it existed. */
  remove(id: string): boolean {
    const before = this.#waiting.length
    this.#waiting = this.#waiting.filter(({ rule }) => rule.id !== id)
    if (this.#waiting.length === before) return false
    this.#onChange()
    return true
  }

  clear(): void {
    if (this.isEmpty) return
    this.#waiting = []
    this.#onChange()
  }

  /** Returns true if the fault for this request may depend on its body. */
  needsBody(request: MatchedRequest): boolean {
    return this.#waiting.some(
      ({ rule: { match } }) => match.body !== undefined && fitsBeforeBody(match, request),
    )
  }

  /** Returns the fault for this request, if any, and counts it as used. */
  take(request: MatchedRequest): Fault | undefined {
    for (const waiting of this.#waiting) {
      if (!fits(waiting.rule.match, request)) continue
      waiting.matched += 1
      if (waiting.matched % (waiting.rule.every ?? 1) !== 0) continue
      this.#countDown(waiting)
      return waiting.rule.fault
    }
    return undefined
  }

  #countDown(waiting: Waiting): void {
    const { times } = waiting.rule
    if (times === undefined) return
    if (times === 1) this.#waiting = this.#waiting.filter((other) => other !== waiting)
    else
      this.#waiting = this.#waiting.map((other) =>
        other === waiting ? { ...waiting, rule: { ...waiting.rule, times: times - 1 } } : other,
      )
    this.#onChange()
  }
}
