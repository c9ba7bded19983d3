import type { ConnectionState } from '../../../contract/connection'
import type { Traffic } from '../../../contract/state'
import type { TrafficCounters, TrafficSource } from './traffic-source'

/** Five minutes, at one point a second. */
const maxPoints = 300
/** Minimum interval between two readings, in milliseconds; shorter ones give no useful rate. */
const minStepMs = 500
/** Maximum interval between two readings, in milliseconds; after longer ones the rate is unknown. */
const maxStepMs = 3000

interface Run {
  readonly device: string
  /** Counters of the device before this tunnel. */
  readonly before: Promise<TrafficCounters | undefined>
}

/** Measures the traffic of the tunnel, reading counters only on request. Keeps the last five minutes. */
export class TrafficMeter {
  readonly #source: TrafficSource | undefined
  readonly #now: () => number
  #target = ''
  #run: Run | undefined
  #last: TrafficCounters | undefined
  #points: Traffic['points'] = []
  #reading: Promise<Traffic> | undefined

  /** @param source undefined if this system has no counters */
  constructor(source: TrafficSource | undefined, now: () => number = Date.now) {
    this.#source = source
    this.#now = now
  }

  /** Must be called for every change of the connection. */
  follow(connection: ConnectionState): void {
    if (connection.state !== 'connected' && connection.state !== 'reconnecting') {
      this.#forget()
      return
    }
    const target = JSON.stringify([connection.target.instanceId, connection.target.profileId])
    if (target !== this.#target) this.#forget()
    this.#target = target
    // Between two tunnels the device may be missing, or unused.
    if (connection.state === 'reconnecting') return
    const { device } = connection
    if (device === this.#run?.device) return
    this.#last = undefined
    this.#run =
      device === undefined || this.#source === undefined
        ? undefined
        : { device, before: this.#source.fromZero ? Promise.resolve(undefined) : this.#source.read(device) }
  }

  /** Reads the current counters. */
  read(): Promise<Traffic> {
    // Concurrent callers get the same reading.
    this.#reading ??= this.#read().finally(() => {
      this.#reading = undefined
    })
    return this.#reading
  }

  async #read(): Promise<Traffic> {
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
    if (last !== undefined && step >= 0 && step < minStepMs) return
    this.#last = counters
    if (last === undefined || step < 0 || step > maxStepMs) return
    const received = counters.received - last.received
    const sent = counters.sent - last.sent
    // The counters were reset: the rate is unknown.
    if (received < 0 || sent < 0) return
    const point = { at: counters.at, down: (received * 1000) / step, up: (sent * 1000) / step }
    this.#points = [...this.#points, point].slice(-maxPoints)
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
  // The counters were reset since.
  const begun = before === undefined || received < before.received || sent < before.sent
  return begun ? { received, sent } : { received: received - before.received, sent: sent - before.sent }
}
