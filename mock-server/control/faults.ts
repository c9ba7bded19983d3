import { validateHeaderName, validateHeaderValue } from 'node:http'
import { z } from 'zod'
import { parametersOf } from '../http/parameters'
import { pathFits } from './journal'

function isSendable(headers: Record<string, string>): boolean {
  try {
    for (const [name, value] of Object.entries(headers)) {
      validateHeaderName(name)
      validateHeaderValue(name, value)
    }
    return true
  } catch {
    return false
  }
}

const longestMs = 600_000
const mostHeaders = 50
/** More than the largest file that the storage takes. */
const mostBytes = 2 ** 40

const delayFault = z.strictObject({ delayMs: z.int().min(0).max(longestMs) })
const slowBodyFault = z.strictObject({ slowBodyMs: z.int().min(1).max(longestMs) })
const resetFault = z.strictObject({
  reset: z.literal(true),
  afterBytes: z.int().min(1).max(mostBytes).optional().describe('of the body of the request; else all of it'),
})
const truncateFault = z.strictObject({ truncate: z.literal(true) })
const malformedFault = z.strictObject({ malformed: z.literal(true) })
const answerFault = z
  .strictObject({
    status: z.int().min(200).max(599).optional(),
    headers: z
      .record(z.string(), z.string().max(8192))
      .refine((headers) => Object.keys(headers).length <= mostHeaders, 'has too many headers')
      .refine(isSendable, 'not a valid HTTP header')
      .optional(),
    body: z.unknown().optional().describe('text as it is, anything else as JSON'),
  })
  .refine((fault) => Object.keys(fault).length > 0)
  .meta({ minProperties: 1 })

/** How an answer goes wrong. */
export const faultSchema = z
  .union([delayFault, slowBodyFault, resetFault, truncateFault, malformedFault, answerFault], {
    error:
      'must be {"delayMs": 0–600000}, {"slowBodyMs": 1–600000}, {"reset": true, "afterBytes"?: n}, {"truncate": true}, ' +
      '{"malformed": true}, or at least one of {"status": 200–599, "headers": {…}, "body": …} with headers that HTTP allows',
  })
  .describe('How the answer goes wrong')
export type Fault = z.infer<typeof faultSchema>
export type AnswerFault = z.infer<typeof answerFault>

const match = z.strictObject({
  method: z
    .string()
    .regex(/^[A-Za-z]{1,20}$/, { error: 'must be a method such as GET' })
    .optional(),
  path: z
    .string()
    .max(2000)
    .regex(/^[/*]/, { error: 'must begin with a slash; a star at its end stands for the rest' })
    .optional(),
  query: z
    .record(z.string(), z.string().max(2000))
    .optional()
    .describe('Parameters with their values, all of which the request must have'),
})

/** A fault as `POST /_mock/faults` takes it. A path ending in `*` matches all paths that begin like it. */
export const faultRuleSchema = z.strictObject({
  match: match.default({}),
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

/** A fault in force. */
export const faultInForceSchema = faultRuleSchema.extend({ id: z.string() })
export type FaultInForce = z.infer<typeof faultInForceSchema>

/** More faults at once than a test has a use for. */
export const mostFaults = 1000

/** What is looked at of a request to tell whether a fault strikes it. */
export interface FaultTarget {
  method: string
  path: string
  /** The query as it was sent, without the question mark. */
  query: string
}

function has(query: string, wanted: Record<string, string>): boolean {
  const given = parametersOf(query)
  return Object.entries(wanted).every(([name, value]) => {
    const values = Object.hasOwn(given, name) ? given[name] : undefined
    return Array.isArray(values) ? values.includes(value) : values === value
  })
}

function matches({ match }: FaultRule, target: FaultTarget): boolean {
  return (
    (match.method === undefined || match.method.toUpperCase() === target.method) &&
    (match.path === undefined || pathFits(match.path, target.path)) &&
    (match.query === undefined || has(target.query, match.query))
  )
}

interface Waiting {
  rule: FaultInForce
  matched: number
}

/** The faults that wait for their requests, oldest first. */
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

  /** The rules, `times` being how often each still strikes. */
  get rules(): readonly FaultInForce[] {
    return this.#waiting.map(({ rule }) => rule)
  }

  add(rule: FaultRule): FaultInForce {
    const inForce = { ...rule, id: String(this.#nextId) }
    this.#nextId += 1
    this.#waiting.push({ rule: inForce, matched: 0 })
    this.#onChange()
    return inForce
  }

  /** Whether there was one with this id. */
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

  /** The fault for this request, if any, counted as used. */
  take(target: FaultTarget): Fault | undefined {
    for (const waiting of this.#waiting) {
      if (!matches(waiting.rule, target)) continue
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
