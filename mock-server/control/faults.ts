import { z } from 'zod'
import { int, isSome, optional } from '../schemas'
import { hasNoBody, headersSchema } from '../http/sendable-headers'
import { seededRandom } from '../seed/random'
import {
  affects,
  differencesOf,
  inTimeOr,
  matchSchema,
  type MatchedRequest,
  methodsBehind,
} from './request-match'

const maxMs = 600_000
/** Exceeds the largest file that the storage accepts. */
const maxBytes = 2 ** 40

const ms = int(0, maxMs)
const delay = z
  .union([
    ms,
    z.strictObject({
      uniform: z
        .tuple([ms, ms])
        .refine(([least, most]) => least <= most)
        .describe('From the first to the second number, in ms'),
    }),
    z.strictObject({
      lognormal: z
        .strictObject({ medianMs: ms.min(1), sigma: z.number().min(0).max(5) })
        .describe('Most near the median, some much longer; sigma is that of the logarithm'),
    }),
  ])
  .describe(
    'The answer after so many milliseconds: a number, `{"uniform": [100, 500]}` for a random one between two, or `{"lognormal": {"medianMs": 200, "sigma": 0.5}}` for the long tail of real networks',
  )

type Delay = z.infer<typeof delay>
const isRandom = (given: Delay | undefined) => typeof given === 'object'

const resetFault = z.strictObject({
  reset: z.literal(true).describe('A connection reset'),
  afterBytes: optional(
    int(1, maxBytes),
    'Beside `reset`: a reset after so many bytes of the body of the request, as of an upload that breaks in the middle',
  ),
  delayMs: delay.optional(),
})
const emptyFault = z.strictObject({
  empty: z.literal(true).describe('The end of the connection instead of an answer'),
  delayMs: delay.optional(),
})
const answerFault = z
  .strictObject({
    slowBodyMs: optional(int(1, maxMs), 'The head at once, and the body over so many milliseconds'),
    truncate: optional(
      z.literal(true),
      'Half of the announced length, then the end of the connection, also of a download',
    ),
    malformed: z.literal(true).optional().describe('A complete answer whose body lacks its second half'),
    retryAfterSeconds: optional(
      int(-maxMs, maxMs),
      "A Retry-After header with a date: so many seconds after the time of the mock's clock",
    ),
    status: optional(
      int(200, 599),
      "This status; the request isn't processed, and may have a path that the mock doesn't know",
    ),
    headers: headersSchema.describe(
      'These headers, also in the normal answer; an array for several of a name',
    ),
    body: optional(
      z.unknown(),
      'This body, also in the normal answer: a text as it is, anything else as JSON',
    ),
    bodyBase64: z.base64().max(2_000_000).optional().describe('These bytes instead of a `body`'),
    delayMs: delay.optional(),
  })
  .refine(
    ({ headers = {}, delayMs = 0, ...others }) =>
      Object.values(others).some((one) => one !== undefined) || isSome(headers) || delayMs !== 0,
  )
  .refine(
    ({ slowBodyMs, truncate, malformed }) =>
      [slowBodyMs, truncate, malformed].filter((one) => one !== undefined).length <= 1,
    'must have only one of slowBodyMs, truncate and malformed',
  )
  .refine(({ body, bodyBase64 }) => body === undefined || bodyBase64 === undefined)
  .refine(
    ({ status = 0, body, bodyBase64 }) =>
      !hasNoBody(status) || (body === undefined && bodyBase64 === undefined),
  )
  .meta({ minProperties: 1 })

export const faultSchema = z
  .union([resetFault, emptyFault, answerFault], {
    error:
      'must be {"reset": true, "afterBytes"?: n}, {"empty": true}, or at least one of {"status": 200–599, "headers": {…}, ' +
      '"body": … or "bodyBase64": …, "retryAfterSeconds": n} with headers that HTTP allows, and no body for 204 and 304, ' +
      'beside at most one of {"slowBodyMs": 1–600000}, {"truncate": true} and {"malformed": true}; ' +
      'each may have "delayMs": 0–600000, {"uniform": [least, most]} or {"lognormal": {"medianMs", "sigma"}}, which may also stand alone',
  })
  .meta({ id: 'Fault', description: 'How the answer goes wrong' })
export type Fault = z.infer<typeof faultSchema>
export type AnswerFault = z.infer<typeof answerFault>

const times = int(1, 1e9)

export const faultRuleSchema = z
  .strictObject({
    match: matchSchema.default({}),
    skip: optional(int(0, 1e6), 'spares the first n matching requests'),
    every: optional(int(1, 1e6), 'applies to each n-th matching request only'),
    probability: optional(z.number().min(0).max(1), 'applies at random, with this probability from 0 to 1'),
    seed: optional(int(0, 2 ** 32 - 1), 'gives the same random hits and delays each time; default 1'),
    times: times.optional().describe('ends after it has applied n times; until you clear it unless given'),
    fault: faultSchema.optional(),
    sequence: optional(
      z
        .array(z.strictObject({ times: times.default(1), fault: faultSchema.optional() }))
        .min(1)
        .max(100),
      'instead of `fault`: one fault after the other; a step without a fault is the normal answer, and so is the end',
    ),
  })
  .refine(({ fault, sequence }) => (fault === undefined) !== (sequence === undefined), {
    error: 'must have either fault or sequence',
  })
  .refine((rule) => rule.times === undefined || rule.sequence === undefined, {
    error: 'times belongs into the steps of a sequence',
  })
  .refine(({ match }) => !methodsBehind.includes(match.method?.toUpperCase() ?? ''), {
    path: ['match', 'method'],
    error: 'must be a method of HTTP: faults do not apply to the network behind the tunnel',
  })
  .refine(
    ({ seed, probability = 1, fault, sequence = [] }) =>
      seed === undefined ||
      probability < 1 ||
      [fault, ...sequence.map((step) => step.fault)].some((one) => isRandom(one?.delayMs)),
    { path: ['seed'], error: 'is only for a probability below 1 or a random delay' },
  )
  .meta({ id: 'FaultRule' })
export type FaultRule = z.infer<typeof faultRuleSchema>

export const activeFaultSchema = faultRuleSchema.safeExtend({ id: z.string() }).meta({ id: 'ActiveFault' })
export type ActiveFault = z.infer<typeof activeFaultSchema>

export const maxFaults = 1000

/** An active fault with what is left of it: steps of a sequence, or the fault itself as the only step. */
class Active {
  readonly id: string
  readonly rule: FaultRule
  readonly #random: () => number
  #steps: readonly { times: number; fault?: Fault | undefined }[]
  #matched = 0

  constructor(rule: FaultRule, id: string) {
    this.id = id
    this.rule = rule
    this.#random = seededRandom(rule.seed ?? 1)
    this.#steps = rule.sequence ?? [{ times: rule.times ?? Infinity, fault: rule.fault }]
  }

  get isOver(): boolean {
    return this.#steps.length === 0
  }

  /** Returns true if what is left of it changes each time it applies. */
  get isCounted(): boolean {
    return this.#steps[0]?.times !== Infinity
  }

  get status(): ActiveFault {
    const { sequence, times: all, ...rule } = this.rule
    const rest =
      sequence === undefined ? { times: all && this.#steps[0]?.times } : { sequence: [...this.#steps] }
    return { ...rule, ...rest, id: this.id }
  }

  /** Counts a matching request, and returns the step that applies to it. */
  take(): { fault?: Fault | undefined } | undefined {
    const { skip = 0, every = 1, probability = 1 } = this.rule
    this.#matched += 1
    const isSpared = this.#matched <= skip || (this.#matched - skip) % every !== 0
    if (isSpared || (probability < 1 && this.#random() >= probability)) return undefined
    const [step, ...later] = this.#steps
    if (step === undefined) return undefined
    this.#steps = step.times === 1 ? later : [{ ...step, times: step.times - 1 }, ...later]
    const { fault } = step
    const delayMs = fault?.delayMs === undefined ? undefined : drawn(fault.delayMs, this.#random)
    return fault === undefined || delayMs === undefined ? { fault } : { fault: { ...fault, delayMs } }
  }
}

function drawn(delayMs: Delay, random: () => number): number {
  if (typeof delayMs === 'number') return delayMs
  if ('uniform' in delayMs) {
    const [least, most] = delayMs.uniform
    return least + random() * (most - least)
  }
  const { medianMs, sigma } = delayMs.lognormal
  // Box and Muller's normal deviate.
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  return Math.min(maxMs, medianMs * Math.exp(sigma * normal))
}

export class FaultList {
  #active: readonly Active[] = []
  #nextId = 1
  readonly #onChange: () => void

  constructor(onChange: () => void = () => undefined) {
    this.#onChange = onChange
  }

  get isEmpty(): boolean {
    return this.#active.length === 0
  }

  /** The active rules with what is left of them, newest first. */
  get rules(): readonly ActiveFault[] {
    return this.#active.map(({ status }) => status)
  }

  add(rule: FaultRule): string {
    const active = new Active(rule, String(this.#nextId))
    this.#nextId += 1
    this.#set([active, ...this.#active])
    return active.id
  }

  remove(id: string): boolean {
    const others = this.#active.filter((active) => active.id !== id)
    if (others.length === this.#active.length) return false
    this.#set(others)
    return true
  }

  clear(): void {
    if (!this.isEmpty) this.#set([])
  }

  needsBody(request: MatchedRequest): boolean {
    return this.#active.some(
      ({ rule: { match } }) => match.body !== undefined && affects({ ...match, body: undefined }, request),
    )
  }

  /** Returns the rule that misses the fewest conditions of a request, the newest of several, with what is different. */
  nearestTo(request: MatchedRequest): { id: string; differences: string[] } | undefined {
    const [nearest] = this.#active
      .map(({ id, rule: { match } }) => ({
        id,
        differences: inTimeOr(
          () => differencesOf(match, request),
          ({ message }) => [message],
        ),
      }))
      .filter(({ differences }) => differences.length > 0)
      .sort((one, other) => one.differences.length - other.differences.length)
    return nearest
  }

  /** Returns the fault for this request with the id of its rule, if any, and counts it as used. */
  take(request: MatchedRequest): { id: string; fault: Fault | undefined } | undefined {
    for (const active of this.#active) {
      if (!affects(active.rule.match, request)) continue
      const step = active.take()
      if (step === undefined) continue
      if (active.isOver) this.remove(active.id)
      else if (active.isCounted) this.#onChange()
      return { id: active.id, fault: step.fault }
    }
    return undefined
  }

  #set(active: readonly Active[]): void {
    this.#active = active
    this.#onChange()
  }
}
