import type { Entry, NewsCategory, NewsItem, NewsSource, Revealed, Tweet, User, WholeEntry } from './answers'
import { entryBody } from './entry-body'
import { type ImageReference, imageReference } from './image-reference'
import { windowLine, windowText } from '../../../contract/safe-text'
import { readHtml } from './read-html'
import type { EntryBody, RichText } from './rich-text'
import { type WebLink, webLink } from './web-address'

/**
 * The answers of the content API in the form that the window shows: plain texts, HTML as a tree, http and https addresses.
 * Everything else from a server is left out. Dates are in seconds since the epoch.
 */

interface ShownAuthor {
  readonly id?: string
  readonly name: string
  readonly picture?: ImageReference
  readonly page?: WebLink
}

interface ShownEntry {
  readonly id: string
  readonly title: string
  readonly page?: WebLink
  readonly date?: number
  readonly author?: ShownAuthor
  readonly type?: 'news' | 'off-topic' | 'video' | 'article'
  readonly intro: RichText
  readonly cover?: ImageReference
  readonly externalLink?: WebLink & {
    readonly title?: string
    readonly description?: string
    readonly image?: ImageReference
  }
  readonly hits?: number
  /** Votes for, minus votes against. */
  readonly likes?: number
  readonly commentsCount?: number
}

export interface ShownWholeEntry extends ShownEntry {
  readonly body: EntryBody
}

export interface ShownUser {
  readonly id: string
  readonly name: string
  readonly picture?: ImageReference
  readonly background?: ImageReference
  /** Date of registration. */
  readonly date?: number
  readonly isClubMember: boolean
  readonly karma?: number
  readonly socialAccounts: readonly { readonly name: string; readonly page?: WebLink }[]
}

export interface ShownTweet {
  readonly id: string
  readonly text: string
  readonly author?: {
    readonly name: string
    readonly screenName?: string
    readonly picture?: ImageReference
    readonly followersCount?: number
  }
  readonly retweetCount?: number
  readonly favoriteCount?: number
  readonly pictures: readonly ImageReference[]
  readonly date?: number
}

interface ShownSource {
  readonly id?: string
  readonly name: string
  readonly page?: WebLink
  readonly icon?: ImageReference
}

interface ShownNewsItem {
  readonly id: string
  readonly title: string
  readonly page?: WebLink
  readonly image?: ImageReference
  readonly source?: ShownSource
  readonly rating?: number
  readonly date?: number
}

interface ShownCategory {
  readonly id: string
  readonly name: string
  readonly news: readonly ShownNewsItem[]
  readonly sources: readonly ShownSource[]
}

export interface ShownRevealed {
  readonly entry: ShownWholeEntry
  readonly related: readonly ShownEntry[]
}

/** Characters of HTML; a list has up to 50 intros. */
const longestIntro = 40_000

const types = ['news', 'off-topic', 'video', 'article'] as const

export function shownEntry(entry: Entry): ShownEntry {
  const { author, cover, externalLink } = entry
  const type = types[(entry.type ?? 0) - 1]
  const linked = webLink(externalLink?.url)
  const data = externalLink?.data
  return {
    id: entry.id,
    title: windowLine(entry.title),
    ...present('page', webLink(entry.url)),
    ...present('date', entry.date),
    ...present('author', author && shownAuthor(author)),
    ...present('type', type),
    intro: readHtml(entry.intro, longestIntro),
    ...present(
      'cover',
      imageReference(cover?.thumbnailUrl ?? cover?.url, cover?.size) ??
        imageReference(cover?.url, cover?.size),
    ),
    ...present(
      'externalLink',
      linked && {
        ...linked,
        ...present('title', oneLineIfAny(data?.title)),
        ...present('description', oneLineIfAny(data?.description)),
        ...present('image', imageReference(data?.imageUrl)),
      },
    ),
    ...present('hits', entry.hits),
    ...present('likes', entry.likes?.summ ?? entry.likes?.count),
    ...present('commentsCount', entry.commentsCount),
  }
}

export function shownWholeEntry(entry: WholeEntry): ShownWholeEntry {
  return { ...shownEntry(entry), body: entryBody(entry.entryJSON) }
}

export function shownUser(user: User): ShownUser {
  return {
    id: user.id,
    name: windowLine(user.name),
    ...present('picture', imageReference(user.profileBigImageUrl ?? user.profileImageUrl)),
    ...present('background', imageReference(user.profileBackgroundUrl)),
    ...present('date', user.date),
    isClubMember: user.isClubMember,
    ...present('karma', user.rating?.karma),
    socialAccounts: user.socialAccounts.map(({ screenName, url }) => ({
      name: windowLine(screenName),
      ...present('page', webLink(url)),
    })),
  }
}

export function shownTweet(tweet: Tweet): ShownTweet {
  const { user } = tweet
  return {
    id: tweet.id,
    text: windowText(tweet.text),
    ...present(
      'author',
      user && {
        name: windowLine(user.name),
        ...present('screenName', oneLineIfAny(user.screenName)),
        ...present('picture', imageReference(user.profileImageUrl)),
        ...present('followersCount', user.followersCount),
      },
    ),
    ...present('retweetCount', tweet.retweetCount),
    ...present('favoriteCount', tweet.favoriteCount),
    pictures: tweet.media.flatMap(({ url, thumbnailUrl, width, height }) => {
      const image = imageReference(thumbnailUrl ?? url, { width, height })
      return image === undefined ? [] : [image]
    }),
    ...present('date', tweet.createdAt),
  }
}

export function shownNewsItem(item: NewsItem): ShownNewsItem {
  return {
    id: item.id,
    title: windowLine(item.title),
    ...present('page', webLink(item.url) ?? webLink(item.mobileUrl)),
    ...present('image', imageReference(item.previewImg)),
    ...present('source', item.source && shownSource(item.source)),
    ...present('rating', item.rating?.total),
    ...present('date', item.date),
  }
}

export function shownCategory({ id, name, news, sources }: NewsCategory): ShownCategory {
  return { id, name: windowLine(name), news: news.map(shownNewsItem), sources: sources.map(shownSource) }
}

export function shownRevealed({ data, sectionRelated }: Revealed): ShownRevealed {
  return { entry: shownWholeEntry(data), related: sectionRelated.map(shownEntry) }
}

function shownAuthor({ id, name, profileImageUrl, url }: NonNullable<Entry['author']>): ShownAuthor {
  return {
    ...present('id', id),
    name: windowLine(name),
    ...present('picture', imageReference(profileImageUrl)),
    ...present('page', webLink(url)),
  }
}

function shownSource({ id, name, url, favicon }: NewsSource): ShownSource {
  return {
    ...present('id', id),
    name: windowLine(name),
    ...present('page', webLink(url)),
    ...present('icon', imageReference(favicon)),
  }
}

function oneLineIfAny(text: string | undefined): string | undefined {
  const line = text === undefined ? '' : windowLine(text)
  return line === '' ? undefined : line
}

function present<const Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): Readonly<Partial<Record<Name, Value>>> {
  return (value === undefined ? {} : { [name]: value }) as Readonly<Partial<Record<Name, Value>>>
}
