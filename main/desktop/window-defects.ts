import type { CommandInput } from '../../contract/commands'
import type { Log } from '../platform/log/log'

/** A page could report without end. */
const mostInAMinute = 20

/** Writes down defects of the window's page, a bounded number a minute. */
export class WindowDefects {
  readonly #log: Pick<Log, 'write'>
  readonly #now: () => number
  #minute = 0
  #count = 0

  /** `now` is in milliseconds. */
  constructor(log: Pick<Log, 'write'>, now: () => number = Date.now) {
    this.#log = log
    this.#now = now
  }

  add(defect: CommandInput<'reportDefect'>): void {
    const minute = Math.floor(this.#now() / 60_000)
    if (minute !== this.#minute) this.#count = 0
    this.#minute = minute
    this.#count += 1
    if (this.#count <= mostInAMinute) this.#log.write('error', 'window', 'defect', defect)
    if (this.#count === mostInAMinute + 1) this.#log.write('warning', 'window', 'more-defects')
  }
}
