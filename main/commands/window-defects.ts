import type { CommandInput } from '../../contract/commands'
import type { Log } from '../platform/log/log'

/** The limit that keeps a broken page from filling the log. */
const maxPerMinute = 20

/** Logs defects of the page, with a limit per minute. */
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
    if (this.#count <= maxPerMinute) this.#log.write('error', 'window', 'defect', defect)
    if (this.#count === maxPerMinute + 1) this.#log.write('warning', 'window', 'more-defects')
  }
}
