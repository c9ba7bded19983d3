import { z } from 'zod'

/** The lines of an organization's address; servers may have more. */
export const addressLines = ['address1', 'address2', 'city', 'zipCode', 'state', 'country'] as const
export type AddressLine = (typeof addressLines)[number]

/** The roles that can be assigned. Servers may have others. */
export const roles = ['Viewer', 'Editor', 'Admin'] as const
export type Role = (typeof roles)[number]

const line = z.string().nullish()

const address = z.looseObject({
  address1: line,
  address2: line,
  city: line,
  zipCode: line,
  state: line,
  country: line,
})

/**
 * An unsigned integer of any size, sent as a number or a text. A JSON number that cannot be represented exactly is
 * rejected.
 */
const id = z.union([z.int().nonnegative().transform(String), z.string().regex(/^\d{1,20}$/)])

/**
 * Org (content-and-organization-apis.md, section 2, with the fields of known servers). Lists and the current organization
 * have no address.
 */
export const organization = z.looseObject({ id, name: z.string(), address: address.nullish() })
export type Organization = z.infer<typeof organization>

/** OrgUser, with the optional fields of newer servers, identified by login or email address. */
const organizationUser = z
  .object({
    orgId: id.exactOptional(),
    userId: id,
    email: z.string().nullish(),
    login: z.string().nullish(),
    role: z.string(),
    name: z.string().nullish().catch(undefined),
    avatarUrl: z.string().nullish().catch(undefined),
    lastSeenAt: z.string().nullish().catch(undefined),
    lastSeenAtAge: z.string().nullish().catch(undefined),
  })
  .transform((user) => ({ ...user, email: user.email ?? '', login: user.login ?? '' }))
  .refine(({ email, login }) => email !== '' || login !== '')
export type OrganizationUser = z.infer<typeof organizationUser>

/** The readable users of an organization, and the number of unreadable ones. */
export interface OrganizationUsers {
  readonly users: readonly OrganizationUser[]
  readonly unreadable: number
}

/** An invalid record does not invalidate the others. */
export const organizationUsers = z.array(z.unknown()).transform((records): OrganizationUsers => {
  const users = records.flatMap((record) => organizationUser.safeParse(record).data ?? [])
  return { users, unreadable: records.length - users.length }
})

/** Ignores an invalid id: the change was made. */
const anyId = id.optional().catch(undefined)

/** StatusMessage, the answer to a successful change. Every field may be missing. */
export const statusMessage = z.object({
  message: z.string().nullish(),
  orgId: anyId,
  userId: anyId,
})
export type StatusMessage = z.infer<typeof statusMessage>
