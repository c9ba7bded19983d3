import { z } from 'zod'

/** The lines of an organization's address; a server may have more. */
export const addressLines = ['address1', 'address2', 'city', 'zipCode', 'state', 'country'] as const
export type AddressLine = (typeof addressLines)[number]

/** The roles that a user can be given. A server may know others. */
export const roles = ['Viewer', 'Editor', 'Admin'] as const
export type Role = (typeof roles)[number]

const line = z.string().nullish()

/** What else a server says of an address is kept, so that an update gives it back. */
const address = z.looseObject({
  address1: line,
  address2: line,
  city: line,
  zipCode: line,
  state: line,
  country: line,
})
export type OrganizationAddress = z.infer<typeof address>

const id = z.int().nonnegative()

/**
 * Org (content-and-organization-apis.md, section 2; its fields are those of the known servers). Lists and the current
 * organization leave the address out.
 */
export const organization = z.looseObject({ id, name: z.string(), address: address.nullish() })
export type Organization = z.infer<typeof organization>

/** OrgUser, with the fields of newer servers where they are there. */
const organizationUser = z.object({
  orgId: id,
  userId: id,
  email: z.string(),
  login: z.string(),
  role: z.string(),
  name: z.string().nullish(),
  avatarUrl: z.string().nullish(),
  lastSeenAt: z.string().nullish(),
  lastSeenAtAge: z.string().nullish(),
})
export const organizationUsers = z.array(organizationUser)
export type OrganizationUser = z.infer<typeof organizationUser>

const idAsNumberOrText = z
  .union([id, z.string().regex(/^\d{1,15}$/)])
  .nullish()
  .transform((value) => (value === null || value === undefined ? undefined : Number(value)))

/** StatusMessage: what a server says of a change that it made. Every field may be missing. */
export const statusMessage = z.object({
  message: z.string().nullish(),
  orgId: idAsNumberOrText,
  userId: idAsNumberOrText,
})
export type StatusMessage = z.infer<typeof statusMessage>
