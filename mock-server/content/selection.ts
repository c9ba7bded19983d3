import type { Entry, NewsItem, Tweet } from './answer-schemas'
import type { HeldEntry, HeldNewsItem, HeldTweet } from './content-data'
import type { NewsInterval, SortMode, TweetInterval } from './parameters'

const secondsPerHour = 3600
const secondsPerDay = 24 * secondsPerHour

/** Compares by the first rank, highest first; equal ranks fall through to the next. */
function highestFirst<T>(...ranks: ((value: T) => number)[]): (a: T, b: T) => number {
  return (a, b) => ranks.map((rank) => rank(b) - rank(a)).find((difference) => difference !== 0) ?? 0
}

const newestEntry = highestFirst<HeldEntry>(
  ({ entry }) => entry.date,
  ({ entry }) => entry.id,
)
const likedEntry = highestFirst<HeldEntry>(
  ({ entry }) => entry.likes.summ,
  ({ entry }) => entry.date,
  ({ entry }) => entry.id,
)
const newestTweet = highestFirst<Tweet>(
  (tweet) => tweet.created_at,
  (tweet) => tweet.id,
)
const popularTweet = highestFirst<Tweet>(
  (tweet) => tweet.retweet_count + tweet.favorite_count,
  (tweet) => tweet.created_at,
  (tweet) => tweet.id,
)
const newestItem = highestFirst<NewsItem>(
  (item) => item.date,
  (item) => item.id,
)
const popularItem = highestFirst<NewsItem>(
  (item) => item.rating.total,
  (item) => item.date,
  (item) => item.id,
)

function inSeconds(now: Date): number {
  return Math.floor(now.getTime() / 1000)
}

export function pageOf<T>(list: T[], { offset, count }: { offset: number; count: number }): T[] {
  return list.slice(offset, offset + count)
}

export function newestFirst(entries: HeldEntry[]): Entry[] {
  return entries.toSorted(newestEntry).map(({ entry }) => entry)
}

export function clubEntries(entries: HeldEntry[], type: number, sortMode: SortMode, now: Date): Entry[] {
  const ofType = entries.filter(({ entry }) => type === 0 || entry.type === type)
  switch (sortMode) {
    case 'mainpage':
      return newestFirst(ofType.filter(({ isOnMainPage }) => isOnMainPage))
    case 'recent':
      return newestFirst(ofType)
    case 'week': {
      const since = inSeconds(now) - 7 * secondsPerDay
      return ofType
        .filter(({ entry }) => entry.date >= since)
        .toSorted(likedEntry)
        .map(({ entry }) => entry)
    }
    case 'unadmitted':
      return newestFirst(ofType.filter(({ isOnMainPage }) => !isOnMainPage))
    case 'editorial':
      return newestFirst(ofType.filter(({ isEditorial }) => isEditorial))
  }
}

const intervalSeconds = { '3hours': 3 * secondsPerHour, week: 7 * secondsPerDay, month: 30 * secondsPerDay }

export function topTweets(tweets: HeldTweet[], listId: number, interval: TweetInterval, now: Date): Tweet[] {
  const ofList = tweets.filter((held) => held.listId === listId).map(({ tweet }) => tweet)
  if (interval === 'fresh') return ofList.toSorted(newestTweet)
  const since = inSeconds(now) - intervalSeconds[interval]
  return ofList.filter((tweet) => tweet.created_at >= since).toSorted(popularTweet)
}

export function topNews(
  news: HeldNewsItem[],
  listId: number | undefined,
  interval: NewsInterval,
): NewsItem[] {
  const ofList = news
    .filter(({ categoryId }) => listId === undefined || categoryId === listId)
    .map(({ item }) => item)
  return ofList.toSorted(interval === 'fresh' ? newestItem : popularItem)
}
