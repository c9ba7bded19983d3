import type { ContentData, Entry, HeldEntry, NewsItem, Tweet } from './answer-schemas'
import type { NewsInterval, SortMode, TweetInterval } from './parameters'

const secondsPerHour = 3600
const secondsPerDay = 24 * secondsPerHour

/** Compares by the first rank, highest first; equal ranks fall through to the next. */
function highestFirst<T>(ranksOf: (value: T) => readonly number[]): (a: T, b: T) => number {
  return (a, b) => {
    const others = ranksOf(a)
    return (
      ranksOf(b)
        .map((rank, index) => rank - (others[index] ?? 0))
        .find((difference) => difference !== 0) ?? 0
    )
  }
}

const newestEntry = highestFirst<HeldEntry>(({ entry }) => [entry.date, entry.id])
const likedEntry = highestFirst<HeldEntry>(({ entry }) => [entry.likes.summ, entry.date, entry.id])
const newestTweet = highestFirst<Tweet>((tweet) => [tweet.created_at, tweet.id])
const popularTweet = highestFirst<Tweet>((tweet) => [
  tweet.retweet_count + tweet.favorite_count,
  tweet.created_at,
  tweet.id,
])
const newestItem = highestFirst<NewsItem>((item) => [item.date, item.id])
const popularItem = highestFirst<NewsItem>((item) => [item.rating.total, item.date, item.id])

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
  const lastWeek = inSeconds(now) - 7 * secondsPerDay
  const isIn: Record<SortMode, (held: HeldEntry) => boolean> = {
    mainpage: ({ isOnMainPage }) => isOnMainPage,
    recent: () => true,
    week: ({ entry }) => entry.date >= lastWeek,
    unadmitted: ({ isOnMainPage }) => !isOnMainPage,
    editorial: ({ isEditorial }) => isEditorial,
  }
  return entries
    .filter((held) => (type === 0 || held.entry.type === type) && isIn[sortMode](held))
    .toSorted(sortMode === 'week' ? likedEntry : newestEntry)
    .map(({ entry }) => entry)
}

const intervalSeconds = { '3hours': 3 * secondsPerHour, week: 7 * secondsPerDay, month: 30 * secondsPerDay }

export function topTweets(
  tweets: ContentData['tweets'],
  listId: number,
  interval: TweetInterval,
  now: Date,
): Tweet[] {
  const ofList = tweets.filter((held) => held.listId === listId).map(({ tweet }) => tweet)
  if (interval === 'fresh') return ofList.toSorted(newestTweet)
  const since = inSeconds(now) - intervalSeconds[interval]
  return ofList.filter((tweet) => tweet.created_at >= since).toSorted(popularTweet)
}

export function topNews(
  news: ContentData['news'],
  listId: number | undefined,
  interval: NewsInterval,
): NewsItem[] {
  const ofList = news
    .filter(({ categoryId }) => listId === undefined || categoryId === listId)
    .map(({ item }) => item)
  return ofList.toSorted(interval === 'fresh' ? newestItem : popularItem)
}

/** Returns the address without parts that do not change the page: fragment, trailing slashes, `utm_…` parameters. */
function pageAddress(text: string): string {
  const url = new URL(text)
  url.hash = ''
  for (const name of [...url.searchParams.keys()]) {
    if (/^utm_/i.test(name)) url.searchParams.delete(name)
  }
  if (url.searchParams.size === 0) url.search = ''
  url.pathname = url.pathname.replace(/(?<!\/)\/+$/, '')
  return url.href
}

export function entryAt(entries: HeldEntry[], address: string): HeldEntry | undefined {
  const wanted = pageAddress(address)
  return entries.find(({ entry }) => entry.url === wanted)
}

const characters: Record<string, string> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
}

export function textOf(html: string): string {
  return html
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(?:lt|gt|quot|#39|amp);/g, (entity) => characters[entity] ?? entity)
    .replace(/\s+/g, ' ')
    .trim()
}

function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}

const hashtag = /#[\p{L}\p{M}\p{N}_]+/gu

/** Returns the entries with every word of `q`, newest first. A hashtag matches only as a whole. */
export function searchEntries(entries: HeldEntry[], q: string): Entry[] {
  const words = folded(q)
    .split(/\s+/)
    .filter((word) => word !== '')
  return newestFirst(
    entries.filter(({ entry }) => {
      const text = folded(`${entry.title} ${textOf(entry.intro)}`)
      const tags = new Set(text.match(hashtag))
      return words.every((word) =>
        word.length > 1 && word.startsWith('#') ? tags.has(word) : text.includes(word),
      )
    }),
  )
}
