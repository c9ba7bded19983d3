import {
  type CategoryRecord,
  type Entry,
  entry,
  newsCategory,
  newsItem,
  type NewsRecord,
  type Revealed,
  revealed,
  type Tweet,
  tweet,
  type User,
  user,
  type WholeEntry,
  wholeEntry,
} from './answers'
import { type ContentService, read, write } from './content-call'
import { listOfRecords, type Records } from '../../loose'
import {
  type AccountInfoQuery,
  accountInfoQuery,
  type AccountPostsQuery,
  accountPostsQuery,
  type ClubQuery,
  clubQuery,
  itemQuery,
  type Misprint,
  misprint,
  type NewsListsQuery,
  newsListsQuery,
  type NewsQuery,
  newsQuery,
  parametersOf,
  revealQuery,
  type SearchQuery,
  searchQuery,
  type TweetsQuery,
  tweetsQuery,
} from './requests'

/**
 * The content API of one instance (content-and-organization-apis.md, section 4, interface A). Every call throws
 * `content/invalid-request` before anything is sent, `content/refused`, `content/not-found`, `content/unavailable`,
 * `content/invalid-response`, and what HttpClient throws.
 */
export interface ContentClient {
  /** Without a final slash. */
  readonly baseUrl: string
  /** account/info; without `userId`, the current user if the service knows one. */
  accountInfo(query?: AccountInfoQuery, signal?: AbortSignal): Promise<User>
  /** account/posts. */
  accountPosts(query?: AccountPostsQuery, signal?: AbortSignal): Promise<Records<Entry>>
  /** club. */
  club(query?: ClubQuery, signal?: AbortSignal): Promise<Records<Entry>>
  /** club/item. */
  item(entryId: string, signal?: AbortSignal): Promise<WholeEntry>
  /** search. */
  search(query: SearchQuery, signal?: AbortSignal): Promise<Records<Entry>>
  /** tweets. */
  tweets(query?: TweetsQuery, signal?: AbortSignal): Promise<Records<Tweet>>
  /** news, which has no offset. */
  news(query?: NewsQuery, signal?: AbortSignal): Promise<Records<NewsRecord>>
  /** news/lists: the categories. Also counts the unreadable records inside them. */
  newsLists(query?: NewsListsQuery, signal?: AbortSignal): Promise<Records<CategoryRecord>>
  /** content/reveal: the article at an address, and the number of unreadable related entries. */
  reveal(
    url: string,
    signal?: AbortSignal,
  ): Promise<{ readonly revealed: Revealed; readonly unreadable: number }>
  /** misprints/new; sent once and never retried. */
  reportMisprint(report: Misprint, signal?: AbortSignal): Promise<void>
}

/** Creates the client of the service at `baseUrl`. */
export function createContentClient(service: ContentService): ContentClient {
  return {
    baseUrl: service.baseUrl,
    accountInfo: async (query = {}, signal) =>
      read(service, 'account/info', parametersOf(accountInfoQuery, query), user, signal),
    accountPosts: async (query = {}, signal) =>
      read(service, 'account/posts', parametersOf(accountPostsQuery, query), listOfRecords(entry), signal),
    club: async (query = {}, signal) =>
      read(service, 'club', parametersOf(clubQuery, query), listOfRecords(entry), signal),
    item: async (entryId, signal) =>
      read(service, 'club/item', parametersOf(itemQuery, { entryId }), wholeEntry, signal),
    search: async (query, signal) =>
      read(service, 'search', parametersOf(searchQuery, query), listOfRecords(entry), signal),
    tweets: async (query = {}, signal) =>
      read(service, 'tweets', parametersOf(tweetsQuery, query), listOfRecords(tweet), signal),
    news: async (query = {}, signal) =>
      read(service, 'news', parametersOf(newsQuery, query), listOfRecords(newsItem), signal),
    newsLists: async (query = {}, signal) => {
      const parameters = parametersOf(newsListsQuery, query)
      const listed = await read(service, 'news/lists', parameters, listOfRecords(newsCategory), signal)
      return {
        items: listed.items.map(({ category }) => category),
        unreadable: listed.items.reduce((sum, { unreadable }) => sum + unreadable, listed.unreadable),
      }
    },
    reveal: async (url, signal) =>
      read(service, 'content/reveal', parametersOf(revealQuery, { url }), revealed, signal),
    reportMisprint: async (report, signal) =>
      write(service, 'misprints/new', parametersOf(misprint, report), signal),
  }
}
