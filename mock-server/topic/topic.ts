import { z } from 'zod'
import type { Environment } from '../state/environment'
import { Collection } from '../state/collection'
import { countdown, delaySeconds, flag, switchDefinitions, Switches } from '../state/switches'
import { messageOf } from '../errors'

/** The message of the object storage when a file has arrived. */
export const uploadNotificationSchema = z.object({
  key: z.string(),
  etag: z.string(),
  size: z.int(),
  /** ISO 8601. */
  time: z.string(),
})
export type UploadNotification = z.infer<typeof uploadNotificationSchema>

/** A message that is not delivered yet. Times are milliseconds of the mock's clock. */
const deliverySchema = z.object({
  messageId: z.string(),
  notification: uploadNotificationSchema,
  publishedAt: z.number(),
  dueAt: z.number(),
  failures: z.int(),
})
export type Delivery = z.infer<typeof deliverySchema>

export interface DeliveryReport extends Pick<Delivery, 'messageId' | 'notification'> {
  time: number
  outcome: 'handled' | 'failed' | 'lost'
  note: string
}

/** Faults between publisher and subscriber. They end with the process; messages do not. */
export const topicSwitches = switchDefinitions({
  hold: flag('Keeps notifications back; false delivers all of them.'),
  delaySeconds: delaySeconds("Delivers notifications this much later, by the mock's clock."),
  duplicate: flag('Delivers each notification twice.'),
  lose: flag('Loses notifications; the id of the attachment can still deliver one.'),
  failures: countdown('The next deliveries to fail, each retried after 1, 2, 4, … 60 seconds.'),
})

const maxReports = 100
const firstRetryMs = 1000
const maxRetryMs = 60_000
/** Interval for checking the mock's clock while messages wait, because control calls can move it at any time. */
const maxSleepMs = 1000

/** Publish and subscribe with at-least-once delivery. Stored messages survive the end of the process, even a kill. */
export class Topic {
  readonly switches = new Switches(topicSwitches)
  reports: readonly DeliveryReport[] = []
  readonly #queue: Collection<Delivery>
  readonly #environment: Pick<Environment, 'clock' | 'ids'>
  #handle: ((notification: UploadNotification) => string) | undefined
  #sequence: number
  #timer: NodeJS.Timeout | undefined
  #isDelivering = false

  constructor(environment: Pick<Environment, 'clock' | 'ids' | 'persistence'>) {
    this.#environment = environment
    this.#queue = new Collection(environment.persistence, 'topic-uploads', deliverySchema)
    this.#sequence = Math.max(0, ...this.#queue.keys().map(Number))
  }

  get queued(): Delivery[] {
    return this.#inOrder().map(([, delivery]) => delivery)
  }

  /** Sets the handler for new messages and stored ones. It returns a description of what it did. */
  subscribe(handle: (notification: UploadNotification) => string): void {
    this.#handle = handle
    this.deliverDue()
  }

  /** Stores a message, to be delivered by `deliverDue`. Callers can store other rows in the same transaction. */
  enqueue(notification: UploadNotification): void {
    const { duplicate, lose } = this.switches.values
    const delivery = this.#newDelivery(notification, this.switches.values.delaySeconds)
    if (lose) this.#report(delivery, 'lost', 'Messages are being lost.')
    else for (let copies = duplicate ? 2 : 1; copies > 0; copies -= 1) this.#keep(delivery)
  }

  /** Delivers due messages, and sets a timer for the others. */
  deliverDue(): void {
    if (this.#isDelivering) return
    this.#isDelivering = true
    try {
      if (!this.switches.values.hold) {
        for (const [key, delivery] of this.#inOrder()) {
          if (delivery.dueAt > this.#now()) continue
          this.#attempt(key, delivery, this.switches.countDown('failures'))
        }
      }
    } finally {
      this.#isDelivering = false
    }
    this.#sleep()
  }

  /** Delivers the messages about a key now, despite all faults; returns their number. */
  deliverNow(wanted: string): number {
    const about = this.#inOrder().filter(([, { notification }]) => notification.key === wanted)
    for (const [key, delivery] of about) this.#attempt(key, delivery)
    return about.length
  }

  publishNow(notification: UploadNotification): void {
    const delivery = this.#newDelivery(notification, 0)
    this.#attempt(this.#keep(delivery), delivery)
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
    this.reports = []
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#handle = undefined
  }

  #now(): number {
    return this.#environment.clock.now().getTime()
  }

  #inOrder(): [string, Delivery][] {
    return this.#queue.entries().sort(([one], [other]) => Number(one) - Number(other))
  }

  #newDelivery(notification: UploadNotification, delay: number): Delivery {
    const publishedAt = this.#now()
    const messageId = this.#environment.ids.nextUuid('message')
    return { messageId, notification, publishedAt, dueAt: publishedAt + delay * 1000, failures: 0 }
  }

  #keep(delivery: Delivery): string {
    this.#sequence += 1
    const key = String(this.#sequence)
    this.#queue.set(key, delivery)
    return key
  }

  #makeAllDue(): void {
    const now = this.#now()
    for (const [key, delivery] of this.#queue.entries()) this.#queue.set(key, { ...delivery, dueAt: now })
  }

  #attempt(key: string, delivery: Delivery, shallFail = false): void {
    if (this.#handle === undefined) return
    try {
      if (shallFail) throw new Error('The subscriber was told to fail.')
      const note = this.#handle(delivery.notification)
      this.#queue.delete(key)
      this.#report(delivery, 'handled', note)
    } catch (error) {
      const { failures } = delivery
      const pause = Math.min(firstRetryMs * 2 ** failures, maxRetryMs)
      this.#queue.set(key, { ...delivery, failures: failures + 1, dueAt: this.#now() + pause })
      this.#report(delivery, 'failed', messageOf(error))
    }
  }

  #report({ messageId, notification }: Delivery, outcome: DeliveryReport['outcome'], note: string): void {
    const report = { time: this.#now(), messageId, notification, outcome, note }
    this.reports = [...this.reports, report].slice(-maxReports)
  }

  #sleep(): void {
    clearTimeout(this.#timer)
    if (this.#queue.size === 0 || this.switches.values.hold || this.#handle === undefined) return
    const next = Math.min(...this.#queue.values().map(({ dueAt }) => dueAt)) - this.#now()
    const deliver = () => {
      this.deliverDue()
    }
    this.#timer = setTimeout(deliver, Math.min(Math.max(next, 1), maxSleepMs)).unref()
  }
}
