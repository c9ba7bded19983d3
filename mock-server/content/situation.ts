import { hostileEntries } from '../seed/content-hostile'
import { entryCount, seedEntry } from '../seed/content-entries'
import { seedContent } from '../seed/content'
import { seededRandom } from '../seed/random'
import type { ContentData } from './content-data'

/** What a scenario made of the content. All of it is a view: the usual content comes back with `usual`. */
export type Situation =
  | 'usual'
  | 'no-news'
  | 'hostile-entries'
  | 'thousand-entries'
  | 'entries-arriving'
  | 'odd-types'
  | 'large-ids'
  | 'textual-dates'
  | 'bad-records'
  | 'fixed-pages'
  | 'entry-vanished'
  | 'images-broken'

/** What the content is made from. `seededAt` is in milliseconds since 1970; `arrived` counts the entries that came since it was seeded. */
export interface ContentOrigin {
  seed: number
  seededAt: number
  origin: string
  situation: Situation
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

/** The content as it is shown in a situation. */
export function contentOf(from: ContentOrigin): ContentData {
  const { seed, origin, situation } = from
  const seededAt = new Date(from.seededAt)
  const data = seedContent(seed, seededAt, origin, situation === 'thousand-entries' ? 1000 : entryCount)
  switch (situation) {
    case 'no-news':
      return { ...data, entries: [], tweets: [], news: [] }
    case 'hostile-entries': {
      const hostile = data.users
        .slice(0, 1)
        .flatMap((author) => hostileEntries(author, seededAt, origin, 9001))
      return { ...data, entries: [...hostile, ...data.entries] }
    }
    case 'entries-arriving':
      return { ...data, entries: [...arrivedEntries(data, from), ...data.entries] }
    case 'usual':
    case 'thousand-entries':
    case 'odd-types':
    case 'large-ids':
    case 'textual-dates':
    case 'bad-records':
    case 'fixed-pages':
    case 'entry-vanished':
    case 'images-broken':
      return data
  }
}
