/**
 * Runs work once for all callers that ask for it while it runs. All get the same outcome; a caller that aborts stops
 * waiting at once.
 */
export class SingleFlight<T> {
  readonly #work: (signal: AbortSignal) => Promise<T>
  readonly #whenAbandoned: 'stop' | 'finish'
  #current: Flight<T> | undefined

  /**
   * `whenAbandoned` applies when no caller waits any more: `stop` aborts the signal of the work, and the next caller starts
   * it again; `finish` lets the work complete, and the next caller joins it. If it fails, that caller starts it again: the
   * failure is that of an earlier attempt.
   */
  constructor(work: (signal: AbortSignal) => Promise<T>, whenAbandoned: 'stop' | 'finish') {
    this.#work = work
    this.#whenAbandoned = whenAbandoned
  }

  /** Starts or joins the work. Throws the error of `cancelled` when `signal` aborts first. */
  async join(signal: AbortSignal | undefined, cancelled: () => Error): Promise<T> {
    if (signal?.aborted === true) throw cancelled()
    this.#current ??= this.#start()
    const flight = this.#current
    const { wasAbandoned } = flight
    flight.waiting += 1
    try {
      return await settledOrAborted(flight.result, signal, cancelled)
    } catch (error) {
      if (wasAbandoned) return await this.join(signal, cancelled)
      throw error
    } finally {
      flight.waiting -= 1
      flight.wasAbandoned ||= flight.waiting === 0
      if (flight.waiting === 0 && this.#whenAbandoned === 'stop') {
        this.#forget(flight)
        flight.stop.abort()
      }
    }
  }

  #start(): Flight<T> {
    const stop = new AbortController()
    const flight: Flight<T> = { stop, waiting: 0, wasAbandoned: false, result: this.#work(stop.signal) }
    const forget = (): void => {
      this.#forget(flight)
    }
    flight.result.then(forget, forget)
    return flight
  }

  #forget(flight: Flight<T>): void {
    if (this.#current === flight) this.#current = undefined
  }
}

interface Flight<T> {
  readonly stop: AbortController
  readonly result: Promise<T>
  waiting: number
  /** At some time nobody waited for it. */
  wasAbandoned: boolean
}

function settledOrAborted<T>(
  result: Promise<T>,
  signal: AbortSignal | undefined,
  cancelled: () => Error,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => {
      reject(cancelled())
    }
    signal?.addEventListener('abort', giveUp)
    result.then(resolve, reject).finally(() => signal?.removeEventListener('abort', giveUp))
  })
}
