import { z } from 'zod'
import { Collection } from '../state/collection'
import type { Environment } from '../state/environment'

export const misprintSchema = z.object({
  id: z.uuid(),
  time: z.iso.datetime(),
  text: z.string(),
  url: z.string(),
})
type Misprint = z.infer<typeof misprintSchema>

const maxMisprints = 1000

export class Misprints {
  readonly #environment: Pick<Environment, 'clock' | 'ids' | 'persistence'>
  readonly #reports: Collection<Misprint>

  constructor(environment: Pick<Environment, 'clock' | 'ids' | 'persistence'>) {
    this.#environment = environment
    this.#reports = new Collection(environment.persistence, 'content-misprints', misprintSchema)
  }

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
      if (oldest !== undefined && keys.length >= maxMisprints) this.#reports.delete(oldest)
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
