import { z } from 'zod'
import { addressLines } from './choices'

/**
 * Schemas for organizations (content-and-organization-apis.md, interface B). A token or password goes to main
 * once and never comes back.
 */

/** An unsigned integer of any size. */
export const organizationId = z.string().regex(/^\d{1,20}$/)
export const organizationText = z.string().max(4096)

export const whichOrganization = z.discriminatedUnion('by', [
  z.object({ by: z.literal('current') }),
  z.object({ by: z.literal('id'), orgId: organizationId }),
  z.object({ by: z.literal('name'), name: organizationText }),
])
export type WhichOrganization = z.infer<typeof whichOrganization>

/** The caller's own organization, or the one with this id. */
export const organizationPlace = z.union([z.literal('current'), z.object({ orgId: organizationId })])
export type OrganizationPlace = z.infer<typeof organizationPlace>

const address = z.partialRecord(z.enum(addressLines), z.string())
export type OrganizationAddress = z.infer<typeof address>

export const organizationItem = z.object({
  orgId: organizationId,
  name: z.string(),
  /** Undefined if the service doesn't give it to this caller. */
  address: address.optional(),
})
export type OrganizationItem = z.infer<typeof organizationItem>

const organizationUserItem = z.object({
  userId: organizationId,
  login: z.string(),
  email: z.string(),
  /** One of `organizationRoles`, or another role of the server. */
  role: z.string(),
  /** In milliseconds since the epoch. */
  lastSeenAt: z.number().optional(),
})
export type OrganizationUserItem = z.infer<typeof organizationUserItem>

/** The users, and the number of invalid records in the service's list. */
export const organizationUserList = z.object({
  users: z.array(organizationUserItem),
  unreadable: z.int().nonnegative(),
})

export const addressChanges = z.partialRecord(z.enum(addressLines), organizationText)

export const organizationCredential = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('bearer'), token: z.string().max(16_384) }),
  z.object({ kind: z.literal('basic'), user: organizationText, password: z.string().max(16_384) }),
])
export type OrganizationCredential = z.infer<typeof organizationCredential>

/** The kinds of stored credentials for an instance's organization service; never the secrets. */
export const organizationCredentials = z.object({
  bearer: z.boolean(),
  /** The user name, if a password is stored for it. */
  basic: z.string().optional(),
  /** The only origin that they are sent to, such as `https://vpn.example.org`. */
  origin: z.string().optional(),
  /** The storage for secrets on this computer. */
  keptIn: z.enum(['key-store', 'file']),
})
export type OrganizationCredentialsItem = z.infer<typeof organizationCredentials>
