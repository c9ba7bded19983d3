import { z } from 'zod'
import type { Environment } from '../state/environment'
import { Collection } from '../state/collection'

/** A misprint report and the time at which it was made. */
export const misprintSchema = z.object({
  id: z.uuid(),
  time: z.iso.datetime(),
  text: z.string(),
  url: z.string(),
})
export type Misprint = z.infer<typeof misprintSchema>

/** Number of reports to keep; the oldest are dropped first. */
const most = 1000

/** The stored misprint reports. */
export class Misprints {
  readonly #environment: Pick<Environment, 'clock' | 'ids' | 'persistence'>
  readonly #reports: Collection<Misprint>

  constructor(environment: Pick<Environment, 'clock' | 'ids' | 'persistence'>) {
    this.#environment = environment
    this.#reports = new Collection(environment.persistence, 'content-misprints', misprintSchema)
  }

  /** Returns all reports, oldest first. */
  get all(): Misprint[] {
    return this.#reports
      .entries()
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([, report]) => report)
  }

  add(text: string, url: string): Misprint {
    const { clock, ids, persistence } = this.#environment
    return persistence.together(() => {
      const keys = this.#reports.keys().toSorted()
      const oldest = keys[0]
      if (oldest !== undefined && keys.length >= most) this.#reports.delete(oldest)
      const report = {
        id: ids.nextUuid('content-misprint'),
        time: clock.now().toISOString(),
        text,
        url,
      }
      const number = Number(keys.at(-1) ?? 0) + 1
      this.#reports.set(String(number).padStart(12, '0'), report)
      return report
    })
  }

  clear(): void {
    this.#reports.clear()
  }
}
