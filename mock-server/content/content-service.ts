import { z } from 'zod'
import type { Environment, Part } from '../state/environment'
import { Single } from '../state/collection'
import type { ContentData } from './content-data'
import { Misprints } from './misprints'
import { contentOf, type ContentOrigin, type ContentVariant } from './content-variant'

const maxArrivals = 1000
const maxCached = 4

/**
 * The content API. It generates entries, tweets and news from the seed and the time of seeding, and stores only the
 * misprint reports.
 */
export class ContentService implements Part {
  readonly misprints: Misprints
  readonly #environment: Environment
  readonly #seededAt: Single<number>
  #variant: ContentVariant = 'usual'
  #arrived = 0
  /** Generated for each origin that clients use, and again whenever other input has changed. */
  readonly #cached = new Map<string, ContentData>()

  constructor(environment: Environment) {
    const { persistence } = environment
    this.#environment = environment
    this.misprints = new Misprints(environment)
    this.#seededAt = new Single(persistence, 'content-seeded-at', z.int(), 0)
  }

  get variant(): ContentVariant {
    return this.#variant
  }

  /** The variant ends with the process, as faults do. */
  set variant(variant: ContentVariant) {
    this.#variant = variant
    this.#arrived = 0
  }

  get now(): Date {
    return this.#environment.clock.now()
  }

  get origin(): string {
    return this.#environment.origin()
  }

  get data(): ContentData {
    const { seed } = this.#environment
    const from: ContentOrigin = {
      seed,
      seededAt: this.#seededAt.get(),
      origin: this.origin,
      variant: this.variant,
      arrived: this.#arrived,
    }
    const made = JSON.stringify(from)
    const known = this.#cached.get(made)
    if (known !== undefined) return known
    if (this.#cached.size >= maxCached) this.#cached.clear()
    const data = contentOf(from)
    this.#cached.set(made, data)
    return data
  }

  /** Adds a new entry in the variant `entries-arriving`; called before each listing of the club. */
  addArrival(): void {
    if (this.variant === 'entries-arriving') {
      this.#arrived = Math.min(this.#arrived + 1, maxArrivals)
    }
  }

  reset(): void {
    this.misprints.clear()
    this.#seededAt.set(this.now.getTime())
  }

  revertScenario(): void {
    this.variant = 'usual'
  }
}
