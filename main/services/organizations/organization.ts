import { z } from 'zod'
import { type Records, recordsOf, textIfReadable } from '../../loose'

/** Strict, as it is written back with the others: a line that can't be read must not be lost. */
const line = z.preprocess(
  (value) => (typeof value === 'number' ? String(value) : value),
  z.string().nullish(),
)

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
export const organization = z.looseObject({
  id,
  name: z.string(),
  address: address.nullish(),
})
export type Organization = z.infer<typeof organization>

/** OrgUser, with the optional fields of newer servers, identified by login or email address. */
const organizationUser = z
  .object({
    orgId: id.optional().catch(undefined),
    userId: id,
    email: textIfReadable,
    login: textIfReadable,
    role: textIfReadable,
    name: textIfReadable,
    avatarUrl: textIfReadable,
    lastSeenAt: textIfReadable,
    lastSeenAtAge: textIfReadable,
  })
  .transform(({ email = '', login = '', role = '', ...user }) => ({ ...user, email, login, role }))
  .refine(({ email, login }) => email !== '' || login !== '')
export type OrganizationUser = z.infer<typeof organizationUser>

export type OrganizationUsers = Records<OrganizationUser>
export const organizationUsers: z.ZodType<OrganizationUsers> = recordsOf(organizationUser)

/** Ignores an invalid id: the change was made. */
const anyId = id.optional().catch(undefined)

/** StatusMessage, the answer to a successful change. Every field may be missing. */
export const statusMessage = z.object({
  message: z.string().nullish(),
  orgId: anyId,
  userId: anyId,
})
export type StatusMessage = z.infer<typeof statusMessage>
