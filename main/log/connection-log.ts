import type { Redactor } from './redactor'

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
  readonly #listeners = new Set<() => void>()

  constructor(redactor: Redactor, now: () => Date) {
    this.#redactor = redactor
    this.#now = now
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
    for (const listener of this.#listeners) listener()
  }

  /** Calls back whenever there is a line more; returns how to stop it. */
  onLine(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Those after the line of this number, the newest 2000 at most. */
  after(number: number): readonly ConnectionLogLine[] {
    const newer = Math.max(0, Math.min(this.#count - number, mostLines, this.#lines.length))
    return this.#lines.slice(this.#lines.length - newer)
  }
}
