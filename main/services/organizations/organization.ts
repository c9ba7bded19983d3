import { z } from 'zod'

/** The lines of an organization's address; a server may have more. */
export const addressLines = ['address1', 'address2', 'city', 'zipCode', 'state', 'country'] as const
export type AddressLine = (typeof addressLines)[number]

/** The roles that a user can be given. A server may know others. */
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
export type OrganizationAddress = z.infer<typeof address>

/** Unsigned, of any size; JSON has it as a number or a text. One that JSON's numbers cannot hold exactly is none. */
const id = z.union([z.int().nonnegative().transform(String), z.string().regex(/^\d{1,20}$/)])

/**
 * Org (content-and-organization-apis.md, section 2; its fields are those of the known servers). Lists and the current
 * organization leave the address out.
 */
export const organization = z.looseObject({ id, name: z.string(), address: address.nullish() })
export type Organization = z.infer<typeof organization>

/** OrgUser, with the fields of newer servers where they are there. It can be found by its login or its e-mail address. */
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

/** The users of an organization that could be read, and how many could not. */
export interface OrganizationUsers {
  readonly users: readonly OrganizationUser[]
  readonly unreadable: number
}

/** One record that is no user does not make the others unreadable. */
export const organizationUsers = z.array(z.unknown()).transform((records): OrganizationUsers => {
  const users = records.flatMap((record) => organizationUser.safeParse(record).data ?? [])
  return { users, unreadable: records.length - users.length }
})

/** The change was made, whatever its answer says. */
const anyId = id.optional().catch(undefined)

/** StatusMessage: what a server says of a change that it made. Every field may be missing. */
export const statusMessage = z.object({
  message: z.string().nullish(),
  orgId: anyId,
  userId: anyId,
})
export type StatusMessage = z.infer<typeof statusMessage>
