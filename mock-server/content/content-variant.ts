import { hostileEntries } from '../seed/content-hostile'
import { entryCount, seedEntry } from '../seed/content-entries'
import { seedContent } from '../seed/content'
import { seededRandom } from '../seed/random'
import type { ContentData } from './content-data'

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
  'reads-by-post',
] as const
export type ContentVariant = (typeof contentVariants)[number]

/**
 * Input of the generated content. `seededAt` is in milliseconds since 1970; `arrived` counts the entries added since.
 */
export interface ContentOrigin {
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

export function contentOf(from: ContentOrigin): ContentData {
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
