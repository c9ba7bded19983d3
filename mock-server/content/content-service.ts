import { z } from 'zod'
import type { Environment, Part } from '../state/environment'
import { Single } from '../state/collection'
import type { ContentData } from './answer-schemas'
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

  get data(): ContentData {
    const { seed } = this.#environment
    const from: ContentOrigin = {
      seed,
      seededAt: this.#seededAt.get(),
      origin: this.#environment.origin(),
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

/** `seededAt` is in milliseconds since 1970; `arrived` counts the entries added since. */
interface ContentOrigin {
  seed: number
  seededAt: number
  origin: string
  variant: ContentVariant
  arrived: number
}

function arrivedEntries(data: ContentData, { seed, seededAt, origin, arrived }: ContentOrigin) {
  const random = seededRandom(seed)
  const firstDate = Math.floor(seededAt / 1000) + 1
  return Array.from({ length: arrived }, (_, index) => ({
    ...seedEntry(random, data.users, origin, {
      id: entryCount + 1 + index,
      place: entryCount + index,
      date: firstDate + index,
    }),
    isOnMainPage: true,
  }))
}

function contentOf(from: ContentOrigin): ContentData {
  const { seed, origin, variant } = from
  const seededAt = new Date(from.seededAt)
  const data = seedContent(seed, seededAt, origin, variant === 'thousand-entries' ? 1000 : entryCount)
  if (variant === 'no-news') return { ...data, entries: [], tweets: [], news: [] }
  if (variant === 'entries-arriving') {
    return { ...data, entries: [...arrivedEntries(data, from), ...data.entries] }
  }
  if (variant !== 'hostile-entries') return data
  const hostile = data.users.slice(0, 1).flatMap((author) => hostileEntries(author, seededAt, origin, 9001))
  return { ...data, entries: [...hostile, ...data.entries] }
}
