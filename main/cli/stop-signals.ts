import type { EventEmitter } from 'node:events'

export interface StopSignalsOptions {
  /** Where the signals arrive: `process`. */
  readonly source: Pick<EventEmitter, 'on' | 'off'>
  /** Milliseconds. */
  readonly now: () => number
  /** Called when somebody insists: the command is to end at once. */
  readonly onInsist: () => void
}

const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** A terminal sends Ctrl-C to npm as well, which passes it on: for this many milliseconds it is the same one. */
const sameForMs = 500

/**
 * Ctrl-C and its like. The first one aborts `signal`, so that the command can end in order; one that comes later
 * means that this takes too long.
 */
export class StopSignals {
  readonly #abort = new AbortController()
  readonly #options: StopSignalsOptions
  #firstAt: number | undefined

  constructor(options: StopSignalsOptions) {
    this.#options = options
    for (const name of names) options.source.on(name, this.#receive)
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  /** Ends the command in order, without a signal. */
  stop(): void {
    this.#abort.abort()
  }

  dispose(): void {
    for (const name of names) this.#options.source.off(name, this.#receive)
  }

  readonly #receive = (): void => {
    const now = this.#options.now()
    this.#firstAt ??= now
    if (this.signal.aborted && now - this.#firstAt > sameForMs) this.#options.onInsist()
    this.#abort.abort()
  }
}
