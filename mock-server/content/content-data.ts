import type { Entry, NewsItem, NewsSource, Tweet, User } from './answer-schemas'

export interface HeldEntry {
  entry: Entry
  /** JSON text as in club/item, or something else from a hostile server. */
  entryJSON: string
  isOnMainPage: boolean
  isEditorial: boolean
}

/** Data behind the content API, in no particular order. */
export interface ContentData {
  users: User[]
  entries: HeldEntry[]
  tweets: { listId: number; tweet: Tweet }[]
  categories: { id: number; name: string; sources: NewsSource[] }[]
  news: { categoryId: number; item: NewsItem }[]
}

export const imagesPath = '/content-images'
export const pagesPath = '/content-pages'
