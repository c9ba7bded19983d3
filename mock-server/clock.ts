import type { Single } from './state/collection'

/** The time source of the mock, for tokens, codes, certificates, pre-signed URLs and the journal. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

/** A clock that adds an offset to another one; tests set the offset through `POST /_mock/clock`. */
export class AdjustableClock implements Clock {
  readonly #base: Clock
  readonly #offset: Pick<Single<number>, 'get' | 'set'>

  constructor(base: Clock, offset: Pick<Single<number>, 'get' | 'set'>) {
    this.#base = base
    this.#offset = offset
  }

  now(): Date {
    return new Date(this.#base.now().getTime() + this.#offset.get())
  }

  get offsetMs(): number {
    return this.#offset.get()
  }

  /** Moves the time by this many seconds; a negative number moves it back. */
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
