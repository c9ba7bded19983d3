/** Resolves after so many milliseconds; rejects once the signal aborts. */
export type Delay = (milliseconds: number, signal: AbortSignal) => Promise<unknown>

/** A wait that can be cut short. */
export class Pause<Reason extends string> {
  #end: ((reason: Reason) => void) | undefined
  readonly #delay: Delay

  constructor(delay: Delay) {
    this.#delay = delay
  }

  /** Waits for the time in milliseconds, or without one until end() or abort; returns the reason that ended it. */
  async wait(milliseconds: number | undefined, signal: AbortSignal): Promise<Reason | 'time' | 'aborted'> {
    const over = new AbortController()
    const stop = AbortSignal.any([signal, over.signal])
    const ended = new Promise<Reason | 'aborted'>((resolve) => {
      this.#end = resolve
      if (signal.aborted) resolve('aborted')
      signal.addEventListener(
        'abort',
        () => {
          resolve('aborted')
        },
        { signal: over.signal },
      )
    })
    const time =
      milliseconds === undefined
        ? ended
        : this.#delay(milliseconds, stop).then(
            () => 'time' as const,
            // Only an abort ends a delay early, and then `ended` says why.
            () => ended,
          )
    try {
      return await Promise.race([ended, time])
    } finally {
      this.#end = undefined
      over.abort()
    }
  }

  /** Ends the wait, if there is one. */
  end(reason: Reason): void {
    this.#end?.(reason)
  }
}
