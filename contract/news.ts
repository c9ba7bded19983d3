import { z } from 'zod'
import { contentChoices } from './choices'

/**
 * Schemas for news (content-and-organization-apis.md, interface A). The page gets no HTML: main turns it into a small tree.
 */

/** An opaque id of the service. */
export const contentId = z.string().max(100)

/** A picture by the id that main gave it, for `imageAddress`. Sizes are in pixels, as the server says. */
const image = z.object({
  imageId: z.string().max(256),
  width: z.number().optional(),
  height: z.number().optional(),
})
export type Picture = z.infer<typeof image>

/** A web page, which opens in the browser, and its host. */
const link = z.object({ url: z.string().max(2048), host: z.string() })

/**
 * The only nodes shown of a server's HTML. They contain no HTML: texts are plain, and a link's `url` is http or https and contains no password. Main limits depth and size.
 */
export type RichTextNode =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'bold' | 'italic' | 'paragraph'; readonly children: RichText }
  | { readonly kind: 'link'; readonly url: string; readonly children: RichText }
  | { readonly kind: 'list'; readonly ordered: boolean; readonly items: readonly RichText[] }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'image'; readonly image: Picture; readonly alt: string }
  | { readonly kind: 'break' }
export type RichText = readonly RichTextNode[]

const richText: z.ZodType<RichText> = z.array(
  z.lazy(() =>
    z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('text'), text: z.string() }),
      z.object({ kind: z.enum(['bold', 'italic', 'paragraph']), children: richText }),
      z.object({ kind: z.literal('link'), url: z.string(), children: richText }),
      z.object({ kind: z.literal('list'), ordered: z.boolean(), items: z.array(richText) }),
      z.object({ kind: z.literal('code'), text: z.string() }),
      z.object({ kind: z.literal('image'), image, alt: z.string() }),
      z.object({ kind: z.literal('break') }),
    ]),
  ),
)

const title = z.string().optional()
const seconds = z.number().optional()
export const unreadable = z.int().min(0)

/** A part of an entry. `unknown`: a type that this version can't show. */
const entryBlock = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('text'), text: richText }),
  z.object({ kind: z.literal('heading'), text: z.string(), level: z.literal([2, 3, 4]) }),
  z.object({ kind: z.literal('image'), image, title, author: z.string().optional() }),
  z.object({ kind: z.literal('gallery'), images: z.array(z.object({ image, title })).readonly() }),
  z.object({
    kind: z.literal('video'),
    ...link.shape,
    title,
    thumbnail: image.optional(),
    durationSeconds: seconds,
  }),
  z.object({ kind: z.literal('quote'), text: richText, cite: z.string().optional() }),
  z.object({
    kind: z.literal('tweet'),
    text: z.string(),
    author: z.string().optional(),
    screenName: z.string().optional(),
    picture: image.optional(),
    date: seconds,
    url: z.string().optional(),
  }),
  z.object({
    kind: z.literal('embed'),
    ...link.shape,
    title,
    description: z.string().optional(),
    image: image.optional(),
  }),
  z.object({ kind: z.literal('unknown'), type: z.string() }),
])
export type EntryBlock = z.infer<typeof entryBlock>

const linkCard = link.extend({ title, description: z.string().optional(), image: image.optional() })
export type LinkCard = z.infer<typeof linkCard>

/** An entry in a list. Dates are in seconds since the epoch, here and below. */
export const entryItem = z.object({
  id: contentId,
  title: z.string(),
  page: link.optional(),
  date: seconds,
  author: z.object({ id: contentId.optional(), name: z.string(), picture: image.optional() }).optional(),
  type: z.enum(['news', 'off-topic', 'video', 'article']).optional(),
  intro: richText,
  cover: image.optional(),
  externalLink: linkCard.optional(),
  hits: z.number().optional(),
  likes: z.number().optional(),
  commentsCount: z.number().optional(),
})
export type EntryItem = z.infer<typeof entryItem>

/** An entry with its text. `damaged`: the text is invalid; `cut`: the text is too long and was shortened. */
export const entryDetails = entryItem.extend({
  body: z.object({ blocks: z.array(entryBlock).readonly(), state: z.enum(['whole', 'damaged', 'cut']) }),
})
export type EntryDetails = z.infer<typeof entryDetails>

export const userItem = z.object({
  id: contentId,
  name: z.string(),
  picture: image.optional(),
  /** The registration date. */
  date: seconds,
  isClubMember: z.boolean(),
  karma: z.number().optional(),
  socialAccounts: z.array(z.object({ name: z.string(), page: link.optional() })).readonly(),
})
export type UserItem = z.infer<typeof userItem>

export const tweetItem = z.object({
  id: contentId,
  text: z.string(),
  author: z
    .object({ name: z.string(), screenName: z.string().optional(), picture: image.optional() })
    .optional(),
  retweetCount: z.number().optional(),
  favoriteCount: z.number().optional(),
  pictures: z.array(image).readonly(),
  date: seconds,
})
export type TweetItem = z.infer<typeof tweetItem>

const source = z.object({ name: z.string(), page: link.optional() })

export const newsItem = z.object({
  id: contentId,
  title: z.string(),
  page: link.optional(),
  image: image.optional(),
  source: source.optional(),
  rating: z.number().optional(),
  date: seconds,
})
export type NewsItem = z.infer<typeof newsItem>

export const newsCategory = z.object({
  id: contentId,
  name: z.string(),
  sources: z.array(source).readonly(),
})
export type NewsCategory = z.infer<typeof newsCategory>

/**
 * An answer that may come from the cache. `cachedAt`: the time of the cached answer, if the service can't be reached; ms since
 * the epoch. `host`: the host that can't be reached.
 */
export function cacheable<Data extends z.ZodType>(data: Data) {
  return z.object({ data, cachedAt: z.number().optional(), host: z.string().optional() })
}

/** A list of the valid records, with the number of invalid ones. */
export function cacheableList<Item extends z.ZodType>(item: Item) {
  return cacheable(z.array(item).readonly()).extend({ unreadable })
}

/** A list of entries that a view asks for, without the offset. */
export const contentList = z.discriminatedUnion('list', [
  z.object({
    list: z.literal('club'),
    type: z.literal(contentChoices.types),
    sortMode: z.enum(contentChoices.sortModes),
  }),
  z.object({ list: z.literal('posts'), userId: contentId.optional() }),
  z.object({ list: z.literal('search'), q: z.string().max(500) }),
])
export type ContentList = z.infer<typeof contentList>
