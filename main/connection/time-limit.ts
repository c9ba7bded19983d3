import { TunnelFailure } from '../tunnel/tunnel'

/** A time limit that can be paused; its signal also follows the signal given. */
export class TimeLimit {
  readonly signal: AbortSignal
  exceeded = false
  readonly #abort = new AbortController()
  readonly #milliseconds: number
  #timer: NodeJS.Timeout | undefined

  constructor(milliseconds: number, signal: AbortSignal) {
    this.#milliseconds = milliseconds
    this.signal = AbortSignal.any([signal, this.#abort.signal])
    this.resume()
  }

  /** True once the time is up or the given signal has aborted. */
  get over(): boolean {
    return this.signal.aborted
  }

  throwIfOver(): void {
    if (this.exceeded) throw this.error()
    this.signal.throwIfAborted()
  }

  /** Starts from zero, unless it's running. */
  resume(): void {
    this.#timer ??= setTimeout(() => {
      this.exceeded = true
      this.#abort.abort()
    }, this.#milliseconds)
  }

  pause(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  error(): TunnelFailure {
    return new TunnelFailure({ failureClass: 'retry', reason: 'timed-out' }, 'openvpn/timed-out', {
      seconds: Math.round(this.#milliseconds / 1000),
    })
  }
}
