import { z } from 'zod'
import { instance } from './connection'
import { errorReport } from './error-codes'

/** Organizations of the configured lists. Texts are already resolved for the language of the app. */

const foundOrganization = z.object({
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

export const organizationListCommands = {
  searchOrganizations: {
    input: z.object({ words: z.string().max(200) }),
    output: z.object({
      /** The best first, and no more than can be looked through. */
      found: z.array(foundOrganization),
      total: z.number(),
      /** Number of entries of the lists that can't be read. */
      unreadable: z.int().nonnegative(),
      /** Why the lists may be old. */
      problem: errorReport.optional(),
    }),
  },
  /** Tells what a typed text is, and the hosts that `lookForPortals` asks for it. Sends nothing. */
  readPlace: {
    input: z.object({ text: z.string().max(2048) }),
    output: z.object({ kind: z.enum(['address', 'domain', 'name']), hosts: z.array(z.string()) }),
  },
  /** Asks the hosts of the domain in a text for a portal; the part before an `@` stays in main. */
  lookForPortals: {
    input: z.object({ text: z.string().max(2048) }),
    output: z.object({
      /** Addresses, the likeliest first. */
      found: z.array(z.string()),
      /** Why a host that may have a portal didn't answer. */
      problem: errorReport.optional(),
    }),
  },
  addOrganization: {
    input: z.object({ id: z.string().max(2048) }),
    output: instance,
  },
  setLocation: {
    input: instance.extend({ address: z.string().max(2048) }),
    output: z.void(),
  },
  /** Opens one of the support contacts of an instance. */
  openSupportContact: {
    input: instance.extend({ contact: z.string().max(2048) }),
    output: z.void(),
  },
} as const
