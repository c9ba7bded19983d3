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
   * it again; `finish` lets the work complete, and the next caller joins it.
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
    flight.waiting += 1
    try {
      return await settledOrAborted(flight.result, signal, cancelled)
    } finally {
      flight.waiting -= 1
      if (flight.waiting === 0 && this.#whenAbandoned === 'stop') {
        this.#forget(flight)
        flight.stop.abort()
      }
    }
  }

  #start(): Flight<T> {
    const stop = new AbortController()
    const flight: Flight<T> = { stop, waiting: 0, result: this.#work(stop.signal) }
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
