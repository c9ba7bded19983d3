import type { ConnectionState } from '../../../contract/connection'
import type { TrafficCounters, TrafficSource } from './traffic-source'

/** Five minutes, at one a second. */
const mostPoints = 300
/** Counters read closer together say little of a rate; milliseconds. */
const shortestStepMs = 500
/** Where nobody looked for longer than this, nothing is known of what was in between; milliseconds. */
const longestStepMs = 3000

/** How fast it went in the moment before `at` (milliseconds since the epoch); bytes a second. */
export interface TrafficPoint {
  readonly at: number
  readonly down: number
  readonly up: number
}

export interface TrafficReading {
  /** The time of this reading, in milliseconds since the epoch. */
  readonly at: number
  /** Bytes since the tunnel is there; absent where they are not known. */
  readonly totals?: { readonly received: number; readonly sent: number } | undefined
  /** Of this connection, oldest first; what was not looked at is missing. */
  readonly points: readonly TrafficPoint[]
}

interface Run {
  readonly device: string
  /** What the device had counted before this tunnel. */
  readonly before: Promise<TrafficCounters | undefined>
}

/** The traffic of the tunnel, read when somebody asks and at no other time. It keeps what it saw of the last five minutes. */
export class TrafficMeter {
  readonly #source: TrafficSource | undefined
  readonly #now: () => number
  #target = ''
  #run: Run | undefined
  #last: TrafficCounters | undefined
  #points: TrafficPoint[] = []
  #reading: Promise<TrafficReading> | undefined

  /** @param source undefined where this system tells nothing */
  constructor(source: TrafficSource | undefined, now: () => number = Date.now) {
    this.#source = source
    this.#now = now
  }

  /** To be told of every change of the connection. */
  follow(connection: ConnectionState): void {
    if (connection.state !== 'connected' && connection.state !== 'reconnecting') {
      this.#forget()
      return
    }
    const target = JSON.stringify([connection.target.instanceId, connection.target.profileId])
    if (target !== this.#target) this.#forget()
    this.#target = target
    // Between two tunnels the device may be gone, or count for nobody.
    if (connection.state === 'reconnecting') return
    const { device } = connection
    if (device === this.#run?.device) return
    this.#last = undefined
    this.#run =
      device === undefined || this.#source === undefined
        ? undefined
        : { device, before: this.#source.fromZero ? Promise.resolve(undefined) : this.#source.read(device) }
  }

  /** What is known now. */
  read(): Promise<TrafficReading> {
    // Who asks meanwhile gets the same answer.
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  async #read(): Promise<TrafficReading> {
    const run = this.#run
    const counters = run === undefined ? undefined : await this.#source?.read(run.device)
    const before = await run?.before
    if (counters !== undefined && run === this.#run) this.#take(counters)
    return {
      at: this.#now(),
      totals: counters === undefined ? undefined : since(counters, before),
      points: [...this.#points],
    }
  }

  #take(counters: TrafficCounters): void {
    const last = this.#last
    const step = last === undefined ? 0 : counters.at - last.at
    if (last !== undefined && step >= 0 && step < shortestStepMs) return
    this.#last = counters
    if (last === undefined || step < 0 || step > longestStepMs) return
    const received = counters.received - last.received
    const sent = counters.sent - last.sent
    // They have begun anew: nothing is known of this moment.
    if (received < 0 || sent < 0) return
    const point = { at: counters.at, down: (received * 1000) / step, up: (sent * 1000) / step }
    this.#points = [...this.#points, point].slice(-mostPoints)
  }

  #forget(): void {
    this.#target = ''
    this.#run = undefined
    this.#last = undefined
    this.#points = []
  }
}

function since(
  { received, sent }: TrafficCounters,
  before: TrafficCounters | undefined,
): { readonly received: number; readonly sent: number } {
  // Counters below what they were before have begun anew since.
  const begun = before === undefined || received < before.received || sent < before.sent
  return begun ? { received, sent } : { received: received - before.received, sent: sent - before.sent }
}
