import { Emitter } from '../../emitter'
import type { Redactor } from '../../platform/log/redactor'

const mostLines = 2000

/** A line of OpenVPN's log, without what may not leave this computer. */
export interface ConnectionLogLine {
  /** Counts all lines of this process from 1 on. */
  readonly number: number
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly text: string
}

/** The last lines of OpenVPN's log, for who looks at the connection. They pass the redactor as those of the log's file do. */
export class ConnectionLog {
  readonly #redactor: Redactor
  readonly #now: () => Date
  #lines: ConnectionLogLine[] = []
  #count = 0
  readonly #added: Emitter<void>

  /** `onDefect` is told of listeners that throw. */
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
    // In one go now and then: each time would move all of them.
    if (this.#lines.length >= 2 * mostLines) this.#lines = this.#lines.slice(-mostLines)
    this.#added.emit()
  }

  /** Calls back whenever there is a line more; returns how to stop it. */
  onLine(listener: () => void): () => void {
    return this.#added.on(listener)
  }

  /** Those after the line of this number, the newest 2000 at most. */
  after(number: number): readonly ConnectionLogLine[] {
    const newer = Math.max(0, Math.min(this.#count - number, mostLines, this.#lines.length))
    return this.#lines.slice(this.#lines.length - newer)
  }
}
