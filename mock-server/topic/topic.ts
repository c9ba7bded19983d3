import { z } from 'zod'
import type { Clock } from '../clock'
import { Collection } from '../state/collection'
import type { Persistence } from '../state/persistence'
import type { SeededBytes } from '../state/seeded-bytes'
import { switchDefinitions, Switches } from '../state/switches'
import { messageOf } from '../errors'

/** Runs callbacks after a real delay; injected so that tests control it. */
export interface Timers {
  /** Returns a function that cancels the callback. */
  after(milliseconds: number, run: () => void): () => void
}

/** Timers of this process; they do not keep it alive. */
const systemTimers: Timers = {
  after: (milliseconds, run) => {
    const timer = setTimeout(run, milliseconds).unref()
    return () => {
      clearTimeout(timer)
    }
  },
}

/** A message for one subscriber. Times are milliseconds of the mock's clock. */
export interface Delivery<T> {
  messageId: string
  subscriber: string
  payload: T
  publishedAt: number
  dueAt: number
  failures: number
}

/** Report of one attempt to deliver, or of a lost message. */
export interface DeliveryReport<T> {
  time: number
  messageId: string
  subscriber: string
  payload: T
  outcome: 'handled' | 'failed' | 'lost'
  note: string
}

/** Faults between publisher and subscribers. They end with the process; messages do not. */
export const topicSwitches = switchDefinitions({
  hold: z.boolean().describe('Keeps notifications back; false delivers all of them.').default(false),
  delaySeconds: z
    .number()
    .min(0)
    .max(1e9)
    .describe("Delivers notifications this much later, by the mock's clock.")
    .default(0),
  duplicate: z.boolean().describe('Delivers each notification twice.').default(false),
  lose: z
    .boolean()
    .describe('Loses notifications; the id of the attachment can still deliver one.')
    .default(false),
  failures: z
    .int()
    .min(0)
    .max(1000)
    .describe('The next deliveries to fail, each retried after 1, 2, 4, … 60 seconds.')
    .default(0),
})

const maxReports = 100
const firstRetryMs = 1000
const maxRetryMs = 60_000
/** Interval for checking the mock's clock while messages wait, because control calls can move it at any time. */
const maxSleepMs = 1000

/**
 * Publish and subscribe with at-least-once delivery. A message is stored for each subscriber until it is handled; if
 * the subscriber throws, delivery is retried after a pause that doubles each time. Stored messages survive the end of
 * the process, even a kill.
 */
export class Topic<T> {
  readonly #queue: Collection<Delivery<T>>
  readonly #subscribers = new Map<string, (payload: T) => string>()
  readonly #environment: { clock: Clock; ids: SeededBytes }
  readonly #timers: Timers
  readonly switches = new Switches(topicSwitches)
  #reports: DeliveryReport<T>[] = []
  #sequence: number
  #wake: (() => void) | undefined
  #isDelivering = false

  constructor(options: {
    name: string
    payload: z.ZodType<T>
    environment: { clock: Clock; persistence: Persistence; ids: SeededBytes }
    timers?: Timers
  }) {
    const { name, payload, environment, timers = systemTimers } = options
    const delivery = z.object({
      messageId: z.string(),
      subscriber: z.string(),
      payload,
      publishedAt: z.number(),
      dueAt: z.number(),
      failures: z.int(),
    })
    this.#environment = environment
    this.#timers = timers
    this.#queue = new Collection<Delivery<T>>(environment.persistence, `topic-${name}`, delivery)
    this.#sequence = this.#queue.keys().reduce((last, key) => Math.max(last, Number(key)), 0)
  }

  get queued(): Delivery<T>[] {
    return this.#inOrder().map(([, delivery]) => delivery)
  }

  get reports(): readonly DeliveryReport<T>[] {
    return this.#reports
  }

  /** Adds a handler for new messages and those stored for this name. It returns a description of what it did. */
  subscribe(name: string, handle: (payload: T) => string): void {
    this.#subscribers.set(name, handle)
    this.deliverDue()
  }

  /**
   * Stores a message for every subscriber, to be delivered by `deliverDue`. Callers can store other rows in the same
   * transaction.
   */
  enqueue(payload: T): void {
    const now = this.#now()
    const { delaySeconds, duplicate, lose } = this.switches.values
    const message = { messageId: this.#environment.ids.nextUuid('message'), payload }
    for (const subscriber of this.#subscribers.keys()) {
      if (lose) {
        this.#report({ ...message, subscriber, time: now, outcome: 'lost', note: 'Messages are being lost.' })
        continue
      }
      const delivery = {
        ...message,
        subscriber,
        publishedAt: now,
        dueAt: now + delaySeconds * 1000,
        failures: 0,
      }
      for (let copies = duplicate ? 2 : 1; copies > 0; copies -= 1) this.#keep(delivery)
    }
  }

  /** Delivers due messages, and sets a timer for the others. */
  deliverDue(): void {
    if (this.#isDelivering) return
    this.#isDelivering = true
    try {
      if (!this.switches.values.hold) {
        for (const [key, delivery] of this.#inOrder()) {
          if (delivery.dueAt <= this.#now()) this.#attempt(key, delivery, this.#shallFail())
        }
      }
    } finally {
      this.#isDelivering = false
    }
    this.#sleep()
  }

  /** Delivers matching messages now, despite all faults; returns their number. */
  deliverNow(isWanted: (payload: T) => boolean): number {
    const wanted = this.#inOrder().filter(([, { payload }]) => isWanted(payload))
    for (const [key, delivery] of wanted) this.#attempt(key, delivery)
    return wanted.length
  }

  /** Delivers a message to every subscriber now, despite all faults. */
  publishNow(payload: T): void {
    const now = this.#now()
    const messageId = this.#environment.ids.nextUuid('message')
    for (const subscriber of this.#subscribers.keys()) {
      const delivery = { messageId, payload, subscriber, publishedAt: now, dueAt: now, failures: 0 }
      this.#attempt(this.#keep(delivery), delivery)
    }
    this.#sleep()
  }

  /** Changes the faults. Ending a hold delivers the held messages at once. */
  configure(change: Parameters<typeof this.switches.set>[0]): void {
    const wasHeld = this.switches.values.hold
    this.switches.set(change)
    if (wasHeld && !this.switches.values.hold) this.#makeAllDue()
    this.deliverDue()
  }

  /** Ends all faults and delivers the messages that they held back. */
  revertScenario(): void {
    this.switches.revert()
    this.#makeAllDue()
    this.deliverDue()
  }

  reset(): void {
    this.#queue.clear()
    this.#reports = []
  }

  close(): void {
    this.#wake?.()
    this.#subscribers.clear()
  }

  #now(): number {
    return this.#environment.clock.now().getTime()
  }

  #inOrder(): [string, Delivery<T>][] {
    return this.#queue.entries().sort(([one], [other]) => Number(one) - Number(other))
  }

  #keep(delivery: Delivery<T>): string {
    this.#sequence += 1
    const key = String(this.#sequence)
    this.#queue.set(key, delivery)
    return key
  }

  #makeAllDue(): void {
    const now = this.#now()
    for (const [key, delivery] of this.#queue.entries()) this.#queue.set(key, { ...delivery, dueAt: now })
  }

  #shallFail(): boolean {
    const { failures } = this.switches.values
    if (failures > 0) this.switches.set({ failures: failures - 1 })
    return failures > 0
  }

  #attempt(key: string, delivery: Delivery<T>, shallFail = false): void {
    const handle = this.#subscribers.get(delivery.subscriber)
    if (handle === undefined) return
    const { messageId, subscriber, payload } = delivery
    const about = { time: this.#now(), messageId, subscriber, payload }
    try {
      if (shallFail) throw new Error('The subscriber was told to fail.')
      const note = handle(payload)
      this.#queue.delete(key)
      this.#report({ ...about, outcome: 'handled', note })
    } catch (error) {
      const pause = Math.min(firstRetryMs * 2 ** delivery.failures, maxRetryMs)
      this.#queue.set(key, { ...delivery, failures: delivery.failures + 1, dueAt: about.time + pause })
      const note = messageOf(error)
      this.#report({ ...about, outcome: 'failed', note })
    }
  }

  #report(report: DeliveryReport<T>): void {
    this.#reports = [...this.#reports, report].slice(-maxReports)
  }

  #sleep(): void {
    this.#wake?.()
    this.#wake = undefined
    if (this.#queue.size === 0 || this.switches.values.hold || this.#subscribers.size === 0) return
    const next =
      this.#queue.values().reduce((first, { dueAt }) => Math.min(first, dueAt), Infinity) - this.#now()
    this.#wake = this.#timers.after(Math.min(Math.max(next, 1), maxSleepMs), () => {
      this.deliverDue()
    })
  }
}
