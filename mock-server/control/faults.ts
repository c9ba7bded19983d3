import { validateHeaderName, validateHeaderValue } from 'node:http'
import { z } from 'zod'

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

const answerFault = z
  .strictObject({
    status: z.int().min(200).max(599).optional(),
    headers: z.record(z.string(), z.string()).refine(isSendable, 'not a valid HTTP header').optional(),
    body: z.json().optional(),
  })
  .refine((fault) => Object.keys(fault).length > 0, 'needs status, headers, body or another kind of fault')

/** How an answer goes wrong. */
export const faultSchema = z.union([
  z.strictObject({ delayMs: z.int().min(0).max(600_000) }),
  z.strictObject({ reset: z.literal(true) }),
  z.strictObject({ truncate: z.literal(true) }),
  z.strictObject({ malformed: z.literal(true) }),
  answerFault,
])
export type Fault = z.infer<typeof faultSchema>

/** A fault as `POST /_mock/faults` takes it. A path ending in `*` matches all paths that begin like it. */
export const faultRuleSchema = z.strictObject({
  match: z.strictObject({ method: z.string().optional(), path: z.string().optional() }).default({}),
  times: z.int().min(1).optional(),
  fault: faultSchema,
})
export type FaultRule = z.infer<typeof faultRuleSchema>

function matches({ match }: FaultRule, method: string, path: string): boolean {
  if (match.method !== undefined && match.method.toUpperCase() !== method) return false
  if (match.path === undefined) return true
  return match.path.endsWith('*') ? path.startsWith(match.path.slice(0, -1)) : path === match.path
}

/** The faults that wait for their requests, oldest first. */
export class FaultList {
  #rules: FaultRule[] = []

  /** The rules, `times` being how often each still strikes. */
  get rules(): readonly FaultRule[] {
    return this.#rules
  }

  add(rule: FaultRule): void {
    this.#rules.push(rule)
  }

  clear(): void {
    this.#rules = []
  }

  /** The fault for this request, if any, counted as used. */
  take(method: string, path: string): Fault | undefined {
    const rule = this.#rules.find((candidate) => matches(candidate, method, path))
    if (rule === undefined) return undefined
    const left = rule.times === undefined ? undefined : rule.times - 1
    this.#rules = this.#rules.flatMap((other) => {
      if (other !== rule || left === undefined) return [other]
      return left > 0 ? [{ ...rule, times: left }] : []
    })
    return rule.fault
  }
}
