import type { Entry, NewsItem, NewsSource, Tweet, User } from './answer-schemas'

export interface HeldEntry {
  entry: Entry
  /** JSON text as in club/item, or something else from a hostile server. */
  entryJSON: string
  isOnMainPage: boolean
  isEditorial: boolean
}

export interface HeldTweet {
  listId: number
  tweet: Tweet
}

export interface HeldNewsItem {
  categoryId: number
  item: NewsItem
}

/** Data behind the content API, in no particular order. */
export interface ContentData {
  users: User[]
  entries: HeldEntry[]
  tweets: HeldTweet[]
  categories: { id: number; name: string; sources: NewsSource[] }[]
  news: HeldNewsItem[]
}

export const imagesPath = '/content-images'
export const pagesPath = '/content-pages'
