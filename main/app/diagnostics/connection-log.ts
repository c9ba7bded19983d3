import type { ConnectionLogLine } from '../../../contract/state'
import { Emitter } from '../../emitter'
import { knownWords } from '../../platform/log/known-words'

const maxLines = 2000

/** Keeps the last lines of OpenVPN's log for the window, with the same words as the log file. */
export class ConnectionLog {
  readonly #now: () => Date
  #lines: ConnectionLogLine[] = []
  #count = 0
  readonly #added: Emitter<void>

  /** `onDefect` is called with the errors of listeners. */
  constructor(now: () => Date, onDefect?: (error: unknown) => void) {
    this.#now = now
    this.#added = new Emitter(onDefect)
  }

  add(line: string): void {
    this.#count += 1
    this.#lines.push({
      number: this.#count,
      at: this.#now().getTime(),
      text: knownWords(line),
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
