import type { EventEmitter } from 'node:events'
import { constants, readFileSync } from 'node:fs'

interface StopSignalsOptions {
  /** The emitter of the signals: `process`. */
  readonly source: Pick<EventEmitter, 'on' | 'off'>
  /** Milliseconds. */
  readonly now: () => number
  /** Goes on when the terminal is closed. */
  readonly ignoresHangUp?: boolean
  /** Called at the second signal: the command must end at once. */
  readonly onInsist: () => void
}

const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** The time in which signals count as one: a terminal also sends Ctrl-C to npm, which forwards it. */
const sameSignalMs = 500

const goOn = (): void => undefined

/**
 * Handles Ctrl-C and similar signals. The first one aborts `signal`, so that the command can clean up; a later one asks it to
 * end at once.
 */
export class StopSignals {
  readonly #abort = new AbortController()
  readonly #options: StopSignalsOptions
  #firstAt: number | undefined

  constructor(options: StopSignalsOptions) {
    this.#options = options
    for (const name of names)
      options.source.on(name, name === 'SIGHUP' && options.ignoresHangUp === true ? goOn : this.#receive)
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  /** True after a signal of the system. */
  get received(): boolean {
    return this.#firstAt !== undefined
  }

  /** Aborts `signal` without a signal of the system. */
  stop(): void {
    this.#abort.abort()
  }

  dispose(): void {
    for (const name of names) this.#options.source.off(name, this.#receive)
    this.#options.source.off('SIGHUP', goOn)
  }

  readonly #receive = (): void => {
    const now = this.#options.now()
    this.#firstAt ??= now
    if (this.signal.aborted && now - this.#firstAt > sameSignalMs) this.#options.onInsist()
    this.#abort.abort()
  }
}

/**
 * Returns true if `nohup` started this process in a terminal: it puts a file in the place of its input that can only be written.
 * Node.js itself forgets that the signal was to be ignored. Known on Linux only.
 */
export function isUnderNohup(
  input: () => string = () => readFileSync('/proc/self/fdinfo/0', 'latin1'),
): boolean {
  try {
    const flags = Number.parseInt(/^flags:\s*([0-7]+)$/m.exec(input())?.[1] ?? '', 8)
    return (flags & 3) === constants.O_WRONLY
  } catch {
    return false
  }
}
