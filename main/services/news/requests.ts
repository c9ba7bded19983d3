import { z } from 'zod'
import { contentChoices } from '../../../contract/choices'
import type { VariantOf } from '../../../contract/error-details'
import { safeUrl } from '../../../contract/safe-url'
import { CausewayError } from '../../errors'

/**
 * Parameters of the calls with their ranges (content-and-organization-apis.md, section 4, interface A). Omitted parameters
 * are not sent: the service applies the document's defaults.
 */

/** A whole number from 1, of any length. */
const anyId = z.string().regex(/^[1-9]\d{0,99}$/)
const count = z.int().min(1).max(50).optional()
const offset = z.int().min(0).optional()

const address = z
  .string()
  .max(2000)
  .refine((text) => !/\s/.test(text) && safeUrl('page', text) !== undefined)

export const accountInfoQuery = z.object({ userId: anyId.optional() })
export const accountPostsQuery = z.object({ userId: anyId.optional(), count, offset })
/** `type`: 0 all, 1 news, 2 off-topic, 3 video, 4 articles. */
export const clubQuery = z.object({
  count,
  offset,
  type: z.literal(contentChoices.types).optional(),
  sortMode: z.enum(contentChoices.sortModes).optional(),
})
export const itemQuery = z.object({ entryId: anyId })
/** `q`: words, or a hashtag with its #. */
export const searchQuery = z.object({
  q: z.string().max(500).regex(/\S/),
  count,
  offset,
  type: z.literal(1).optional(),
})
export const tweetsQuery = z.object({
  count,
  offset,
  listId: z.literal(contentChoices.tweetLists).optional(),
  interval: z.enum(contentChoices.tweetIntervals).optional(),
})
export const newsQuery = z.object({
  count,
  listId: anyId.optional(),
  interval: z.enum(contentChoices.newsIntervals).optional(),
})
export const newsListsQuery = z.object({
  listId: z
    .string()
    .regex(/^(0|[1-9]\d{0,99})$/)
    .optional(),
  showSources: z.literal([0, 1]).optional(),
})
export const revealQuery = z.object({ url: address })
export const misprint = z.object({ text: z.string().max(5000).regex(/\S/), url: address })

export type AccountInfoQuery = z.infer<typeof accountInfoQuery>
export type AccountPostsQuery = z.infer<typeof accountPostsQuery>
export type ClubQuery = z.infer<typeof clubQuery>
export type SearchQuery = z.infer<typeof searchQuery>
export type TweetsQuery = z.infer<typeof tweetsQuery>
export type NewsQuery = z.infer<typeof newsQuery>
export type NewsListsQuery = z.infer<typeof newsListsQuery>
export type Misprint = z.infer<typeof misprint>

/**
 * Returns the parameters to send. Throws `content/invalid-request` (`details.parameter`) for a parameter out of its range.
 */
export function parametersOf(
  schema: z.ZodType<Readonly<Record<string, string | number | undefined>>>,
  query: unknown,
): URLSearchParams {
  const parsed = schema.safeParse(query)
  if (!parsed.success) {
    const parameter = String(parsed.error.issues[0]?.path[0] ?? '')
    const variant = parameter as VariantOf<'content/invalid-request'>
    throw new CausewayError('content/invalid-request', { variant, details: { parameter } })
  }
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(parsed.data)) {
    if (value !== undefined) parameters.set(name, String(value))
  }
  return parameters
}
