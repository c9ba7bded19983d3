/** Where the mock reads the time: tokens, codes, certificates, pre-signed URLs and journal all ask this. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

/** Where the offset of an adjustable clock is kept, in milliseconds. */
interface Offset {
  get(): number
  set(offsetMs: number): void
}

/** A clock that runs like the one below it, moved by an offset that tests set through `POST /_mock/clock`. */
export class AdjustableClock implements Clock {
  readonly #base: Clock
  readonly #offset: Offset

  constructor(base: Clock, offset: Offset) {
    this.#base = base
    this.#offset = offset
  }

  now(): Date {
    return new Date(this.#base.now().getTime() + this.#offset.get())
  }

  /** By how much it is moved. */
  get offsetMs(): number {
    return this.#offset.get()
  }

  /** Moves the time by this many seconds; negative moves it back. */
  advance(seconds: number): void {
    this.#offset.set(this.#offset.get() + seconds * 1000)
  }

  set(now: Date): void {
    this.#offset.set(now.getTime() - this.#base.now().getTime())
  }

  reset(): void {
    this.#offset.set(0)
  }
}
