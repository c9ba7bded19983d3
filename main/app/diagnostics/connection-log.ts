import { Emitter } from '../../emitter'
import type { Redactor } from '../../platform/log/redactor'

const maxLines = 2000

/** A redacted line of OpenVPN's log. */
export interface ConnectionLogLine {
  /** The number of the line in this process, from 1. */
  readonly number: number
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly text: string
}

/** Keeps the last lines of OpenVPN's log for the window, redacted like those in the log file. */
export class ConnectionLog {
  readonly #redactor: Redactor
  readonly #now: () => Date
  #lines: ConnectionLogLine[] = []
  #count = 0
  readonly #added: Emitter<void>

  /** `onDefect` is called with the errors of listeners. */
  constructor(redactor: Redactor, now: () => Date, onDefect?: (error: unknown) => void) {
    this.#redactor = redactor
    this.#now = now
    this.#added = new Emitter(onDefect)
  }

  add(line: string): void {
    this.#count += 1
    this.#lines.push({
      number: this.#count,
      at: this.#now().getTime(),
      text: this.#redactor.text(line),
    })
    // Trims rarely, because each time copies all lines.
    if (this.#lines.length >= 2 * maxLines) this.#lines = this.#lines.slice(-maxLines)
    this.#added.emit()
  }

  /** Subscribes to new lines; returns a function that unsubscribes. */
  onLine(listener: () => void): () => void {
    return this.#added.on(listener)
  }

  /** Returns the lines after the given number, at most the newest 2000. */
  after(number: number): readonly ConnectionLogLine[] {
    const newer = Math.max(0, Math.min(this.#count - number, maxLines, this.#lines.length))
    return this.#lines.slice(this.#lines.length - newer)
  }
}
