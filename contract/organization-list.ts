import { z } from 'zod'

/** Organizations of the configured lists. Texts are already resolved for the language of the app. */

export const foundOrganization = z.object({
  id: z.string().max(2048),
  /** `secure_internet`: its people share servers in several countries with others. */
  type: z.enum(['institute_access', 'secure_internet']),
  name: z.string(),
  /** Tells apart entries with the same name and type. */
  host: z.string().optional(),
})
export type FoundOrganization = z.infer<typeof foundOrganization>

const listLocation = z.object({
  /** Names it, as two may be in one country. */
  address: z.string(),
  /** ISO 3166-1 alpha-2. */
  countryCode: z.string().regex(/^[A-Z]{2}$/),
})
export type ListLocation = z.infer<typeof listLocation>

/** Information from the lists about an instance that was found in them. */
export const listing = z.object({
  name: z.string(),
  /** The organization or its server is no longer in the lists. */
  delisted: z.boolean().optional(),
  /** `mailto:`, `tel:`, https and http addresses of its help desk. */
  supportContacts: z.array(z.string()).readonly(),
  location: z
    .object({
      /** Its current location, also if its server has moved. */
      chosen: listLocation,
      /** The country has no server any more. */
      gone: z.boolean().optional(),
      choices: z.array(listLocation).readonly(),
    })
    .optional(),
})

export type ListingItem = z.infer<typeof listing>
