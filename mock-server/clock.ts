/** Where the mock reads the time: tokens, codes, certificates and journal all ask this. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

/** A clock that runs like the one below it, moved by an offset that tests set through `POST /_mock/clock`. */
export class AdjustableClock implements Clock {
  readonly #base: Clock
  #offsetMs = 0

  constructor(base: Clock) {
    this.#base = base
  }

  now(): Date {
    return new Date(this.#base.now().getTime() + this.#offsetMs)
  }

  /** Moves the time by this many seconds; negative moves it back. */
  advance(seconds: number): void {
    this.#offsetMs += seconds * 1000
  }

  set(now: Date): void {
    this.#offsetMs = now.getTime() - this.#base.now().getTime()
  }

  reset(): void {
    this.#offsetMs = 0
  }
}
