import { z } from 'zod'
import { localizedText } from './localized'

/** What a profile identifier may look like; portals take no other. */
export const profileIdPattern = /^[a-zA-Z0-9.-]+$/

/** A profile as `PUT /_mock/profiles` sets it: the document's fields, and whether the portal hides it. */
export const profileSchema = z.object({
  profile_id: z.string().regex(profileIdPattern).max(200),
  display_name: localizedText,
  default_gateway: z.boolean().optional().describe('All traffic of the client goes through the tunnel'),
  hidden: z.boolean().optional().describe('Not listed, and its configuration is refused'),
})
export type Profile = z.infer<typeof profileSchema>

/** A system message, as the document says. */
export const systemMessageSchema = z.object({
  type: z.literal('notification').default('notification'),
  date_time: z.iso.datetime({ offset: true }).max(40),
  message: localizedText,
})
export type SystemMessage = z.infer<typeof systemMessageSchema>

/** A message of a kind that only very old portals had (field notes, "system_messages"). */
export const maintenanceMessageSchema = z.object({
  type: z.literal('maintenance'),
  date_time: z.iso.datetime({ offset: true }),
  begin: z.iso.datetime({ offset: true }),
  end: z.iso.datetime({ offset: true }),
})

/** What system_messages can hold. */
export type ShownMessage = SystemMessage | z.infer<typeof maintenanceMessageSchema>
