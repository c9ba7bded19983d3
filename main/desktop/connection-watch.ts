import type { ConnectionNews } from '../../contract/state'
import { Emitter } from '../emitter'
import type { ConnectionLog } from '../app/diagnostics/connection-log'
import type { TrafficMeter } from '../platform/traffic/traffic-meter'

const trafficEveryMs = 1000
/** OpenVPN says much at a time: lines are told together. */
const logEveryMs = 200

/** Tells the window of traffic and log of the connection while it shows them; does nothing while it does not. */
export class ConnectionWatch {
  readonly #traffic: Pick<TrafficMeter, 'read'>
  readonly #log: Pick<ConnectionLog, 'after' | 'onLine'>
  readonly #news: Emitter<ConnectionNews>
  #stopTraffic: (() => void) | undefined
  #stopLog: (() => void) | undefined

  /** `onDefect` is told of listeners that throw. */
  constructor(
    traffic: Pick<TrafficMeter, 'read'>,
    log: Pick<ConnectionLog, 'after' | 'onLine'>,
    onDefect?: (error: unknown) => void,
  ) {
    this.#traffic = traffic
    this.#log = log
    this.#news = new Emitter(onDefect)
  }

  /** Calls back with what there is to tell; returns how to stop it. */
  onNews(listener: (news: ConnectionNews) => void): () => void {
    return this.#news.on(listener)
  }

  /** Reads the traffic now and every second from now on. */
  watchTraffic(): void {
    this.stopTraffic()
    let timer: ReturnType<typeof setTimeout> | undefined
    let over = false
    const step = async (): Promise<void> => {
      const began = performance.now()
      const { points, ...reading } = await this.#traffic.read()
      // It may be over since the counters were asked for.
      if (over) return
      this.#news.emit({ traffic: { ...reading, points: [...points] } })
      timer = setTimeout(() => void step(), Math.max(0, trafficEveryMs - (performance.now() - began)))
    }
    this.#stopTraffic = () => {
      over = true
      clearTimeout(timer)
    }
    void step()
  }

  /** Tells the lines after the one of this number, and those that come. */
  watchLog(after: number): void {
    this.stopLog()
    let told = after
    let timer: ReturnType<typeof setTimeout> | undefined
    const step = (): void => {
      timer = undefined
      const lines = this.#log.after(told)
      told = lines.at(-1)?.number ?? told
      if (lines.length > 0) this.#news.emit({ log: [...lines] })
    }
    const stop = this.#log.onLine(() => {
      timer ??= setTimeout(step, logEveryMs)
    })
    this.#stopLog = () => {
      stop()
      clearTimeout(timer)
    }
    step()
  }

  stopTraffic(): void {
    this.#stopTraffic?.()
    this.#stopTraffic = undefined
  }

  stopLog(): void {
    this.#stopLog?.()
    this.#stopLog = undefined
  }

  /** For when nobody is there any more who would say so. */
  stop(): void {
    this.stopTraffic()
    this.stopLog()
  }
}
