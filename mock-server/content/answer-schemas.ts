import { z } from 'zod'

const id = z.int().min(1)
const count = z.int().min(0)
const seconds = z.int().describe('Unix time in seconds')
const address = z.string().max(2000).describe('An absolute address')

export const userSchema = z
  .object({
    id,
    name: z.string(),
    profile_image_url: address,
    profile_big_image_url: address,
    profile_background_url: address,
    date: seconds.describe('When the user registered, Unix time in seconds'),
    is_club_member: z.boolean(),
    rating: z.object({ karma: z.int(), karmaCount: count }),
    socialAccounts: z.array(
      z.object({
        socialId: z.string(),
        socialType: z.int(),
        socialClass: z.string(),
        screenName: z.string(),
        url: address,
      }),
    ),
  })
  .meta({ id: 'User' })
export type User = z.infer<typeof userSchema>

const authorSchema = z
  .object({ id, name: z.string(), profile_image_url: address, url: address })
  .meta({ id: 'Author' })
const commentSchema = z
  .object({ id, author: authorSchema, text: z.string().describe('HTML'), date: seconds })
  .meta({ id: 'Comment' })

export const entrySchema = z
  .object({
    id,
    title: z.string(),
    url: address,
    date: seconds,
    dateRFC: z.string().describe('The same time as RFC 2822 writes it'),
    author: authorSchema,
    publicAuthor: authorSchema.describe('The same as author, for readers that use this name'),
    type: z.int().min(1).max(4).describe('1 news, 2 off-topic, 3 video, 4 article'),
    intro: z.string().describe('HTML'),
    cover: z
      .object({ thumbnailUrl: address, url: address, size: z.object({ width: count, height: count }) })
      .nullable(),
    externalLink: z
      .object({
        domain: z.string(),
        url: address,
        data: z.object({
          title: z.string(),
          description: z.string(),
          imageUrl: address,
          url: address.describe('The same as the url beside data'),
          image: address.describe('The same as imageUrl'),
        }),
      })
      .nullable(),
    hits: count,
    likes: z.object({ count, summ: z.int().describe('Votes for minus votes against'), isLiked: z.boolean() }),
    commentsCount: count,
    commentsPreview: z.array(commentSchema).describe('The newest comments, at most 3'),
    isFavorited: z.boolean(),
  })
  .meta({ id: 'Entry' })
export type Entry = z.infer<typeof entrySchema>
export type Comment = z.infer<typeof commentSchema>

export const wholeEntrySchema = entrySchema
  .extend({
    entryJSON: z
      .string()
      .describe(
        'JSON text: {"data": [{"type", "data"}]} with the types text, heading_styled, image_extended, gallery, ' +
          'video_extended, quote_styled, tweet, link_embed and rawhtml',
      ),
  })
  .meta({ id: 'WholeEntry' })
export type WholeEntry = z.infer<typeof wholeEntrySchema>

export const tweetSchema = z
  .object({
    id,
    text: z.string(),
    user: z.object({
      id,
      name: z.string(),
      screen_name: z.string(),
      profile_image_url: address,
      followers_count: count,
    }),
    retweet_count: count,
    favorite_count: count,
    has_media: z.boolean(),
    media: z.array(
      z.object({
        type: z.literal('photo'),
        thumbnailUrl: address,
        url: address,
        width: count,
        height: count,
      }),
    ),
    created_at: seconds,
  })
  .meta({ id: 'Tweet' })
export type Tweet = z.infer<typeof tweetSchema>

const newsSourceSchema = z
  .object({ id, name: z.string(), url: address, favicon: address })
  .meta({ id: 'NewsSource' })
export type NewsSource = z.infer<typeof newsSourceSchema>

export const newsItemSchema = z
  .object({
    id,
    title: z.string(),
    url: address,
    mobile_url: address,
    preview_img: address.nullable(),
    source: newsSourceSchema,
    rating: z.object({ total: z.int() }),
    isFavorited: z.boolean(),
    date: seconds,
  })
  .meta({ id: 'NewsItem' })
export type NewsItem = z.infer<typeof newsItemSchema>

export const newsCategorySchema = z
  .object({
    id,
    name: z.string(),
    news: z.array(newsItemSchema).describe('The newest of the category, at most 10'),
    sources: z.array(newsSourceSchema).optional().describe('Left out with showSources=0'),
  })
  .meta({ id: 'NewsCategory' })

export const revealedSchema = z
  .object({
    id,
    data: wholeEntrySchema,
    sectionRelated: z.array(entrySchema).describe('The newest others of the same type, at most 5'),
  })
  .meta({ id: 'Article' })

export const errorSchema = z
  .object({ error: z.object({ code: z.int(), message: z.string() }) })
  .meta({ id: 'ContentError' })

export interface HeldEntry {
  entry: Entry
  /** JSON text as in club/item, or something else from a hostile server. */
  entryJSON: string
  isOnMainPage: boolean
  isEditorial: boolean
}

export interface ContentData {
  users: User[]
  entries: HeldEntry[]
  tweets: { listId: number; tweet: Tweet }[]
  categories: { id: number; name: string; sources: NewsSource[] }[]
  news: { categoryId: number; item: NewsItem }[]
}

export const imagesPath = '/content-images'
export const pagesPath = '/content-pages'
