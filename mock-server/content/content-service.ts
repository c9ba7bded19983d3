import { z } from 'zod'
import type { Environment, Part } from '../state/environment'
import { Single } from '../state/collection'
import type { ContentData, HeldEntry } from './answer-schemas'
import { Misprints } from './misprints'
import { hostileEntries } from '../seed/content-hostile'
import { entryCount, seedEntry } from '../seed/content-entries'
import { seedContent } from '../seed/content'
import { seededRandom } from '../seed/random'

const maxArrivals = 1000
const maxCached = 4

/** The content API, generated from the seed and the time of seeding. Only misprint reports are stored. */
export class ContentService implements Part {
  readonly misprints: Misprints
  readonly #environment: Environment
  /** In milliseconds since 1970. */
  readonly #seededAt: Single<number>
  #variant: ContentVariant = 'usual'
  /** The number of entries added since. */
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

  get data(): ContentData {
    const origin = this.#environment.origin()
    const made = JSON.stringify([this.#seededAt.get(), origin, this.variant, this.#arrived])
    const known = this.#cached.get(made)
    if (known !== undefined) return known
    if (this.#cached.size >= maxCached) this.#cached.clear()
    const data = this.#contentAt(origin)
    this.#cached.set(made, data)
    return data
  }

  addArrival(): void {
    if (this.variant === 'entries-arriving') this.#arrived = Math.min(this.#arrived + 1, maxArrivals)
  }

  reset(): void {
    this.misprints.clear()
    this.#seededAt.set(this.now.getTime())
  }

  revertScenario(): void {
    this.variant = 'usual'
  }

  #contentAt(origin: string): ContentData {
    const { variant } = this
    const seededAt = new Date(this.#seededAt.get())
    const count = variant === 'thousand-entries' ? 1000 : entryCount
    const data = seedContent(this.#environment.seed, seededAt, origin, count)
    if (variant === 'no-news') return { ...data, entries: [], tweets: [], news: [] }
    if (variant === 'entries-arriving') {
      return { ...data, entries: [...this.#arrivedEntries(data, origin), ...data.entries] }
    }
    if (variant !== 'hostile-entries') return data
    const hostile = data.users.slice(0, 1).flatMap((author) => hostileEntries(author, seededAt, origin, 9001))
    return { ...data, entries: [...hostile, ...data.entries] }
  }

  #arrivedEntries({ users }: ContentData, origin: string): HeldEntry[] {
    const random = seededRandom(this.#environment.seed)
    const firstDate = Math.floor(this.#seededAt.get() / 1000) + 1
    return Array.from({ length: this.#arrived }, (_, index) => {
      const place = entryCount + index
      const entry = { id: place + 1, place, date: firstDate + index }
      return { ...seedEntry(random, users, origin, entry), isOnMainPage: true }
    })
  }
}

/** Variants of the content that scenarios select. The stored content never changes: `usual` brings it back. */
export const contentVariants = [
  'usual',
  'no-news',
  'hostile-entries',
  'thousand-entries',
  'entries-arriving',
  'odd-types',
  'large-ids',
  'textual-dates',
  'bad-records',
  'fixed-pages',
  'entry-vanished',
  'images-broken',
  'reads-by-get-only',
] as const
export type ContentVariant = (typeof contentVariants)[number]
