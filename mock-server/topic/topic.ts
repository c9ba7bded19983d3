import { z } from 'zod'
import type { Clock } from '../clock'
import { Collection } from '../state/collection'
import type { Persistence } from '../state/persistence'
import type { SeededBytes } from '../state/seeded-bytes'
import { systemTimers, type Timers } from './timers'

/** A message on its way to one subscriber. Times are milliseconds of the mock's clock. */
export interface Delivery<T> {
  messageId: string
  subscriber: string
  payload: T
  publishedAt: number
  dueAt: number
  /** How often delivering it has failed. */
  failures: number
}

/** One attempt to deliver, or a message that was lost before any. */
export interface DeliveryReport<T> {
  time: number
  messageId: string
  subscriber: string
  payload: T
  outcome: 'handled' | 'failed' | 'lost'
  /** What the subscriber said of it, or why it failed. */
  note: string
}

/** What goes wrong between publisher and subscribers. It ends with the mock, the messages do not. */
export interface TopicSwitches {
  /** Nothing is delivered until it is false again. */
  hold: boolean
  /** How long, by the mock's clock, a message takes. */
  delaySeconds: number
  /** Each message comes twice. */
  duplicate: boolean
  /** Messages that are published now never arrive. */
  lose: boolean
  /** So many of the next deliveries fail and are tried again. */
  failures: number
}

const calm: TopicSwitches = { hold: false, delaySeconds: 0, duplicate: false, lose: false, failures: 0 }

const mostReports = 100
const firstRetryMs = 1000
const longestRetryMs = 60_000
/** How often to look at the mock's clock while messages wait: control calls may move it at any time. */
const longestSleepMs = 1000

/**
 * Publish and subscribe with at-least-once delivery. A published message is kept, for each subscriber, until the
 * subscriber has handled it; a subscriber that throws gets it again after a pause that doubles each time. What was
 * kept when the mock ended, however it ended, is delivered when it starts again.
 */
export class Topic<T> {
  readonly #queue: Collection<Delivery<T>>
  readonly #subscribers = new Map<string, (payload: T) => string>()
  readonly #environment: { clock: Clock; ids: SeededBytes }
  readonly #timers: Timers
  #switches = calm
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

  get switches(): TopicSwitches {
    return this.#switches
  }

  /** What waits, oldest first. */
  get queued(): Delivery<T>[] {
    return this.#inOrder().map(([, delivery]) => delivery)
  }

  /** The last attempts, oldest first. */
  get reports(): readonly DeliveryReport<T>[] {
    return this.#reports
  }

  /** Handles every message from now on, and those kept for this name. The handler says in words what it did. */
  subscribe(name: string, handle: (payload: T) => string): void {
    this.#subscribers.set(name, handle)
    this.deliverDue()
  }

  /** Keeps a message for every subscriber; `deliverDue` then delivers it. Apart, so that one can write more with it. */
  enqueue(payload: T): void {
    const now = this.#now()
    const { delaySeconds, duplicate, lose } = this.#switches
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

  /** Delivers what is due, and comes back by itself for what is not. */
  deliverDue(): void {
    if (this.#isDelivering) return
    this.#isDelivering = true
    try {
      if (!this.#switches.hold) {
        for (const [key, delivery] of this.#inOrder()) {
          if (delivery.dueAt <= this.#now()) this.#attempt(key, delivery, this.#shallFail())
        }
      }
    } finally {
      this.#isDelivering = false
    }
    this.#sleep()
  }

  /** Delivers the messages for which `isWanted` at once, whatever goes wrong otherwise. Returns how many there were. */
  deliverNow(isWanted: (payload: T) => boolean): number {
    const wanted = this.#inOrder().filter(([, { payload }]) => isWanted(payload))
    for (const [key, delivery] of wanted) this.#attempt(key, delivery)
    return wanted.length
  }

  /** Hands every subscriber a message at once, whatever goes wrong otherwise. */
  publishNow(payload: T): void {
    const now = this.#now()
    const messageId = this.#environment.ids.nextUuid('message')
    for (const subscriber of this.#subscribers.keys()) {
      const delivery = { messageId, payload, subscriber, publishedAt: now, dueAt: now, failures: 0 }
      this.#attempt(this.#keep(delivery), delivery)
    }
    this.#sleep()
  }

  /** Makes things go wrong, or right again: what was held comes at once when nothing is held any more. */
  bend(change: Partial<TopicSwitches>): void {
    const wasHeld = this.#switches.hold
    this.#switches = { ...this.#switches, ...change }
    if (wasHeld && !this.#switches.hold) this.#makeAllDue()
    this.deliverDue()
  }

  /** Takes back everything that goes wrong, and delivers what waits for it. */
  settle(): void {
    this.#switches = calm
    this.#makeAllDue()
    this.deliverDue()
  }

  /** Forgets every message. */
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
    const { failures } = this.#switches
    if (failures > 0) this.#switches = { ...this.#switches, failures: failures - 1 }
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
      const pause = Math.min(firstRetryMs * 2 ** delivery.failures, longestRetryMs)
      this.#queue.set(key, { ...delivery, failures: delivery.failures + 1, dueAt: about.time + pause })
      const note = error instanceof Error ? error.message : String(error)
      this.#report({ ...about, outcome: 'failed', note })
    }
  }

  #report(report: DeliveryReport<T>): void {
    this.#reports = [...this.#reports, report].slice(-mostReports)
  }

  #sleep(): void {
    this.#wake?.()
    this.#wake = undefined
    if (this.#queue.size === 0 || this.#switches.hold || this.#subscribers.size === 0) return
    const next =
      this.#queue.values().reduce((first, { dueAt }) => Math.min(first, dueAt), Infinity) - this.#now()
    this.#wake = this.#timers.after(Math.min(Math.max(next, 1), longestSleepMs), () => {
      this.deliverDue()
    })
  }
}
