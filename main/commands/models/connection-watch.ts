import type { ConnectionNews } from '../../../contract/state'
import { Emitter } from '../../emitter'
import type { ConnectionLog } from '../../app/diagnostics/connection-log'
import type { TrafficMeter } from '../../platform/traffic/traffic-meter'

const trafficEveryMs = 1000
/** Log lines are sent in batches, because OpenVPN writes many at a time. */
const logEveryMs = 200

/** Sends traffic readings and log lines to the window, only while it shows them. */
export class ConnectionWatch {
  readonly #traffic: Pick<TrafficMeter, 'read'>
  readonly #log: Pick<ConnectionLog, 'after' | 'onLine'>
  readonly #news: Emitter<ConnectionNews>
  #stopTraffic: (() => void) | undefined
  #stopLog: (() => void) | undefined

  /** `onDefect` is called with the errors of listeners. */
  constructor(
    traffic: Pick<TrafficMeter, 'read'>,
    log: Pick<ConnectionLog, 'after' | 'onLine'>,
    onDefect?: (error: unknown) => void,
  ) {
    this.#traffic = traffic
    this.#log = log
    this.#news = new Emitter(onDefect)
  }

  /** Subscribes to readings and lines; returns a function that unsubscribes. */
  onNews(listener: (news: ConnectionNews) => void): () => void {
    return this.#news.on(listener)
  }

  /** Reads the traffic now and every second. */
  watchTraffic(): void {
    this.stopTraffic()
    let timer: ReturnType<typeof setTimeout> | undefined
    let over = false
    const step = async (): Promise<void> => {
      const began = performance.now()
      const traffic = await this.#traffic.read()
      // The watch may have stopped during the read.
      if (over) return
      this.#news.emit({ traffic })
      timer = setTimeout(() => void step(), Math.max(0, trafficEveryMs - (performance.now() - began)))
    }
    this.#stopTraffic = () => {
      over = true
      clearTimeout(timer)
    }
    void step()
  }

  /** Sends the lines after the given number, and new ones. */
  watchLog(after: number): void {
    this.stopLog()
    let lastSent = after
    let timer: ReturnType<typeof setTimeout> | undefined
    const step = (): void => {
      timer = undefined
      const lines = this.#log.after(lastSent)
      lastSent = lines.at(-1)?.number ?? lastSent
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

  /** Stops both, for example when the page is gone. */
  stop(): void {
    this.stopTraffic()
    this.stopLog()
  }
}
