import { z } from 'zod'
import type { Environment, Part } from '../state/environment'
import { Single } from '../state/single'
import type { ContentData } from './content-data'
import { Misprints } from './misprints'
import { contentOf, type ContentOrigin, type Situation } from './situation'

const mostArrivals = 1000

/**
 * What the content API holds. Entries, tweets and news are not kept but made again from the seed and the time of
 * seeding; the reports of misprints are kept.
 */
export class ContentService implements Part {
  readonly misprints: Misprints
  readonly #environment: Environment
  readonly #seededAt: Single<number>
  #situation: Situation = 'usual'
  #arrived = 0
  /** Made again whenever what it is made from has changed. */
  #cached: { made: string; data: ContentData } | undefined

  constructor(environment: Environment) {
    const { persistence } = environment
    this.#environment = environment
    this.misprints = new Misprints(environment)
    this.#seededAt = new Single(persistence, 'content-seeded-at', z.int(), 0)
  }

  get situation(): Situation {
    return this.#situation
  }

  /** Ends with the mock, as faults do. */
  set situation(situation: Situation) {
    this.#situation = situation
    this.#arrived = 0
  }

  get now(): Date {
    return this.#environment.clock.now()
  }

  get origin(): string {
    return this.#environment.origin()
  }

  /** Everything that is shown now. */
  get data(): ContentData {
    const { seed } = this.#environment
    const from: ContentOrigin = {
      seed,
      seededAt: this.#seededAt.get(),
      origin: this.origin,
      situation: this.situation,
      arrived: this.#arrived,
    }
    const made = JSON.stringify(from)
    if (this.#cached?.made !== made) this.#cached = { made, data: contentOf(from) }
    return this.#cached.data
  }

  /** To be called before the club is listed: in one situation a new entry comes each time. */
  letOneArrive(): void {
    if (this.situation === 'entries-arriving') {
      this.#arrived = Math.min(this.#arrived + 1, mostArrivals)
    }
  }

  reset(): void {
    this.misprints.clear()
    this.#seededAt.set(this.now.getTime())
  }

  settle(): void {
    this.situation = 'usual'
  }

  async close(): Promise<void> {
    // nothing to end
  }
}
