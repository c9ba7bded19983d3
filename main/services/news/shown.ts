import { setImmediate as nextTurn } from 'node:timers/promises'
import type {
  EntryDetails,
  EntryItem,
  NewsCategory,
  NewsItem,
  TweetItem,
  UserItem,
} from '../../../contract/news'
import { windowLine, windowText } from '../../../contract/safe-text'
import type {
  CategoryRecord,
  Entry,
  NewsRecord,
  NewsSource,
  Revealed,
  Tweet,
  User,
  WholeEntry,
} from './answers'
import { entryBody, lineIfAny } from './entry-body'
import { HtmlAllowance } from './html-allowance'
import { imageReference, type WithImageUrls } from './image-reference'
import { readHtml } from './read-html'
import { webLink } from './web-address'

/**
 * The answers of the content API in the form that the window shows (contract/news.ts): plain texts, HTML as a tree, http and
 * https addresses. Everything else from a server is left out.
 */

export type ShownEntry = WithImageUrls<EntryItem>
export type ShownDetails = WithImageUrls<EntryDetails>
export type ShownUser = WithImageUrls<UserItem>
export type ShownTweet = WithImageUrls<TweetItem>

/** Characters of HTML. */
const longestIntro = 40_000

const types = ['news', 'off-topic', 'video', 'article'] as const

/** Shows the records of one answer, and lets the process do other work after each of them. */
export async function shownInTurns<Item, Data>(
  items: readonly Item[],
  showOne: (item: Item, allowance: HtmlAllowance) => Data,
): Promise<readonly Data[]> {
  const allowance = new HtmlAllowance()
  const shown: Data[] = []
  for (const item of items) {
    shown.push(showOne(item, allowance))
    await nextTurn()
  }
  return shown
}

export function shownEntry(entry: Entry, allowance = new HtmlAllowance()): ShownEntry {
  const { author, cover, externalLink } = entry
  const linked = webLink(externalLink?.url)
  const data = externalLink?.data
  return {
    id: entry.id,
    title: windowLine(entry.title),
    page: webLink(entry.url),
    date: entry.date,
    author: author && {
      id: author.id,
      name: windowLine(author.name),
      picture: imageReference(author.profileImageUrl),
    },
    type: types[(entry.type ?? 0) - 1],
    intro: readHtml(entry.intro, allowance, longestIntro),
    cover:
      imageReference(cover?.thumbnailUrl ?? cover?.url, cover?.size) ??
      imageReference(cover?.url, cover?.size),
    externalLink: linked && {
      ...linked,
      title: lineIfAny(data?.title),
      description: lineIfAny(data?.description),
      image: imageReference(data?.imageUrl),
    },
    hits: entry.hits,
    /** Votes for, minus votes against. */
    likes: entry.likes?.summ ?? entry.likes?.count,
    commentsCount: entry.commentsCount,
  }
}

export function shownDetails(entry: WholeEntry, allowance = new HtmlAllowance()): ShownDetails {
  return { ...shownEntry(entry, allowance), body: entryBody(entry.entryJSON, allowance) }
}

export function shownUser(user: User): ShownUser {
  return {
    id: user.id,
    name: windowLine(user.name),
    picture: imageReference(user.profileBigImageUrl ?? user.profileImageUrl),
    date: user.date,
    isClubMember: user.isClubMember,
    karma: user.rating?.karma,
    socialAccounts: user.socialAccounts.map(({ screenName, url }) => ({
      name: windowLine(screenName),
      page: webLink(url),
    })),
  }
}

export function shownTweet(tweet: Tweet): ShownTweet {
  const { user } = tweet
  return {
    id: tweet.id,
    text: windowText(tweet.text),
    author: user && {
      name: windowLine(user.name),
      screenName: lineIfAny(user.screenName),
      picture: imageReference(user.profileImageUrl),
    },
    retweetCount: tweet.retweetCount,
    favoriteCount: tweet.favoriteCount,
    pictures: tweet.media
      .map(({ url, thumbnailUrl, width, height }) => imageReference(thumbnailUrl ?? url, { width, height }))
      .filter((image) => image !== undefined),
    date: tweet.createdAt,
  }
}

export function shownNewsItem(item: NewsRecord): WithImageUrls<NewsItem> {
  return {
    id: item.id,
    title: windowLine(item.title),
    page: webLink(item.url) ?? webLink(item.mobileUrl),
    image: imageReference(item.previewImg),
    source: item.source && shownSource(item.source),
    rating: item.rating?.total,
    date: item.date,
  }
}

export function shownCategory({ id, name, sources }: CategoryRecord): NewsCategory {
  return { id, name: windowLine(name), sources: sources.map(shownSource) }
}

export function shownRevealed({ data, sectionRelated }: Revealed): {
  readonly entry: ShownDetails
  readonly related: readonly ShownEntry[]
} {
  const allowance = new HtmlAllowance()
  const entry = shownDetails(data, allowance)
  return { entry, related: sectionRelated.map((each) => shownEntry(each, allowance)) }
}

function shownSource({ name, url }: NewsSource): NewsCategory['sources'][number] {
  return { name: windowLine(name), page: webLink(url) }
}
