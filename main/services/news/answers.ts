import { z } from 'zod'
import {
  id,
  idFromZero,
  idIfAny,
  kind,
  listOf,
  objectIfAny,
  recordsIn,
  textIfAny,
  textOrEmpty,
  truth,
  wholeNumber,
} from '../../loose'
import { timestamp } from '../../timestamp'

/**
 * Schemas of the content API's answers (content-and-organization-apis.md, interface A, with the fields of known servers),
 * in camelCase. Addresses and HTML stay unchecked, as the server wrote them: main/services/news/shown.ts makes them safe to
 * show. Dates are in seconds since the epoch. Ids are opaque texts.
 */

const size = z.object({ width: wholeNumber, height: wholeNumber })

export const user = z
  .object({
    id,
    name: textOrEmpty,
    profile_image_url: textIfAny,
    profile_big_image_url: textIfAny,
    profile_background_url: textIfAny,
    date: timestamp,
    is_club_member: truth,
    rating: objectIfAny(z.object({ karma: wholeNumber, karmaCount: wholeNumber })),
    socialAccounts: listOf(
      z.object({
        socialId: textIfAny,
        socialType: wholeNumber,
        socialClass: textIfAny,
        screenName: textOrEmpty,
        url: textIfAny,
      }),
    ),
  })
  .transform(
    ({ profile_image_url, profile_big_image_url, profile_background_url, is_club_member, ...rest }) => ({
      ...rest,
      profileImageUrl: profile_image_url,
      profileBigImageUrl: profile_big_image_url,
      profileBackgroundUrl: profile_background_url,
      isClubMember: is_club_member,
    }),
  )
/** A member of the community. */
export type User = z.infer<typeof user>

const entryFields = {
  id,
  title: textOrEmpty,
  url: textIfAny,
  date: timestamp,
  dateRFC: textIfAny,
  author: objectIfAny(
    z
      .object({ id: idIfAny, name: textOrEmpty, profile_image_url: textIfAny, url: textIfAny })
      .transform(({ profile_image_url, ...rest }) => ({ ...rest, profileImageUrl: profile_image_url })),
  ),
  type: kind,
  intro: textOrEmpty,
  cover: objectIfAny(z.object({ thumbnailUrl: textIfAny, url: textIfAny, size: objectIfAny(size) })),
  externalLink: objectIfAny(
    z.object({
      domain: textIfAny,
      url: textIfAny,
      data: objectIfAny(z.object({ title: textIfAny, description: textIfAny, imageUrl: textIfAny })),
    }),
  ),
  hits: wholeNumber,
  likes: objectIfAny(z.object({ count: wholeNumber, summ: wholeNumber, isLiked: truth })),
  commentsCount: wholeNumber,
  isFavorited: truth,
}

export const entry = z.object(entryFields)
/** An entry: type 1 news, 2 off-topic, 3 video, 4 article. `intro` is HTML. */
export type Entry = z.infer<typeof entry>

export const wholeEntry = z.object({ ...entryFields, entryJSON: textOrEmpty })
/** An entry with its text: `entryJSON` is JSON that main/services/news/entry-body.ts reads. */
export type WholeEntry = z.infer<typeof wholeEntry>

export const tweet = z
  .object({
    id,
    text: textOrEmpty,
    user: objectIfAny(
      z
        .object({
          id: idIfAny,
          name: textOrEmpty,
          screen_name: textIfAny,
          profile_image_url: textIfAny,
          followers_count: wholeNumber,
        })
        .transform(({ screen_name, profile_image_url, followers_count, ...rest }) => ({
          ...rest,
          screenName: screen_name,
          profileImageUrl: profile_image_url,
          followersCount: followers_count,
        })),
    ),
    retweet_count: wholeNumber,
    favorite_count: wholeNumber,
    has_media: truth,
    media: listOf(
      z.object({
        type: textIfAny,
        thumbnailUrl: textIfAny,
        url: textIfAny,
        width: wholeNumber,
        height: wholeNumber,
      }),
    ),
    created_at: timestamp,
  })
  .transform(({ retweet_count, favorite_count, has_media, created_at, ...rest }) => ({
    ...rest,
    retweetCount: retweet_count,
    favoriteCount: favorite_count,
    hasMedia: has_media,
    createdAt: created_at,
  }))
export type Tweet = z.infer<typeof tweet>

const newsSource = z.object({ id: idIfAny, name: textOrEmpty, url: textIfAny, favicon: textIfAny })
export type NewsSource = z.infer<typeof newsSource>

export const newsItem = z
  .object({
    id,
    title: textOrEmpty,
    url: textIfAny,
    mobile_url: textIfAny,
    preview_img: textIfAny,
    source: objectIfAny(newsSource),
    rating: objectIfAny(z.object({ total: wholeNumber })),
    isFavorited: truth,
    date: timestamp,
  })
  .transform(({ mobile_url, preview_img, ...rest }) => ({
    ...rest,
    mobileUrl: mobile_url,
    previewImg: preview_img,
  }))
/** A news item of another publisher. */
export type NewsRecord = z.infer<typeof newsItem>

export const newsCategory = z
  .object({
    id: idFromZero,
    name: textOrEmpty,
    news: recordsIn(newsItem),
    sources: recordsIn(newsSource),
  })
  .transform(({ news, sources, ...rest }) => ({
    category: { ...rest, news: news.items, sources: sources.items },
    unreadable: news.unreadable + sources.unreadable,
  }))
export type CategoryRecord = z.infer<typeof newsCategory>['category']

export const revealed = z
  .object({ id, data: wholeEntry, sectionRelated: recordsIn(entry) })
  .transform(({ sectionRelated: { items, unreadable }, ...rest }) => ({
    revealed: { ...rest, sectionRelated: items },
    unreadable,
  }))
/** The entry at an address, and related entries. */
export type Revealed = z.infer<typeof revealed>['revealed']
