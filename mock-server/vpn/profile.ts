import { z } from 'zod'
import { localizedText } from './localized'

/** What a profile identifier may look like; portals take no other. */
export const profileIdPattern = /^[a-zA-Z0-9.-]+$/

/** A profile as `PUT /_mock/profiles` sets it: the document's fields, and whether the portal hides it. */
export const profileSchema = z.object({
  profile_id: z.string().regex(profileIdPattern),
  display_name: localizedText,
  default_gateway: z.boolean().optional(),
  hidden: z.boolean().optional(),
})
export type Profile = z.infer<typeof profileSchema>

/** A system message, as the document says. */
export const systemMessageSchema = z.object({
  type: z.literal('notification').default('notification'),
  date_time: z.iso.datetime({ offset: true }),
  message: localizedText,
})
export type SystemMessage = z.infer<typeof systemMessageSchema>
