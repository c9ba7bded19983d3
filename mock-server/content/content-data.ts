import type { Entry, NewsItem, NewsSource, Tweet, User } from './answer-schemas'

/** An entry with what is shown only when it is asked for alone, and what decides where it is listed. */
export interface HeldEntry {
  entry: Entry
  /** As in club/item: JSON text, or what a hostile server sends instead. */
  entryJSON: string
  isOnMainPage: boolean
  /** Written by the editors. */
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

/** Everything that the content API reads from, in no order that matters. */
export interface ContentData {
  users: User[]
  entries: HeldEntry[]
  tweets: HeldTweet[]
  categories: { id: number; name: string; sources: NewsSource[] }[]
  news: HeldNewsItem[]
}

export const imagesPath = '/content-images'
export const pagesPath = '/content-pages'
