import { z } from 'zod'
import { addressLines } from './choices'
import { instance } from './connection'

/**
 * Schemas and commands for organizations (content-and-organization-apis.md, interface B). A token or password goes to main
 * once and never comes back.
 */

const nothing = z.void()
/** An unsigned integer of any size. */
const id = z.string().regex(/^\d{1,20}$/)
const text = z.string().max(4096)

const whichOrganization = z.discriminatedUnion('by', [
  z.object({ by: z.literal('current') }),
  z.object({ by: z.literal('id'), orgId: id }),
  z.object({ by: z.literal('name'), name: text }),
])
export type WhichOrganization = z.infer<typeof whichOrganization>

/** The caller's own organization, or the one with this id. */
const place = z.union([z.literal('current'), z.object({ orgId: id })])
export type OrganizationPlace = z.infer<typeof place>

const address = z.partialRecord(z.enum(addressLines), z.string())
export type OrganizationAddress = z.infer<typeof address>

const organizationItem = z.object({
  orgId: id,
  name: z.string(),
  /** Undefined if the service doesn't give it to this caller. */
  address: address.optional(),
})
export type OrganizationItem = z.infer<typeof organizationItem>

const organizationUserItem = z.object({
  userId: id,
  login: z.string(),
  email: z.string(),
  /** One of `organizationRoles`, or another role of the server. */
  role: z.string(),
  /** In milliseconds since the epoch. */
  lastSeenAt: z.number().optional(),
})
export type OrganizationUserItem = z.infer<typeof organizationUserItem>

/** The users, and the number of invalid records in the service's list. */
const organizationUserList = z.object({
  users: z.array(organizationUserItem),
  unreadable: z.int().nonnegative(),
})

/**
 * An answer that may come from the cache. `seenAt`: the time of the cached answer, if the service can't be reached; ms since
 * the epoch. `host`: the host that can't be reached.
 */
const answerOf = <Data extends z.ZodType>(data: Data) =>
  z.object({ data, seenAt: z.number().optional(), host: z.string().optional() })

const ofPlace = instance.extend({ place })
const addressChanges = z.partialRecord(z.enum(addressLines), text)

const credential = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('bearer'), token: z.string().max(16_384) }),
  z.object({ kind: z.literal('basic'), user: text, password: z.string().max(16_384) }),
])
export type OrganizationCredential = z.infer<typeof credential>

/** The kinds of stored credentials for an instance's organization service; never the secrets. */
const organizationCredentials = z.object({
  bearer: z.boolean(),
  /** The user name, if a password is stored for it. */
  basic: z.string().optional(),
  /** The only origin that they are sent to, such as `https://vpn.example.org`. */
  origin: z.string().optional(),
  /** The storage for secrets on this computer. */
  keptIn: z.enum(['key-store', 'file']),
})
export type OrganizationCredentialsItem = z.infer<typeof organizationCredentials>

export const organizationsCommands = {
  /** Returns the organization, with its address if the caller may read it. */
  showOrganization: {
    input: instance.extend({ which: whichOrganization }),
    output: answerOf(organizationItem),
  },
  listOrganizationUsers: { input: ofPlace, output: answerOf(organizationUserList) },
  createOrganization: {
    input: instance.extend({ name: text }),
    /** Undefined if the service doesn't return the id. */
    output: z.object({ orgId: id.optional() }),
  },
  /** Changes only the given lines of the address. */
  updateOrganization: {
    input: ofPlace.extend({ name: text.optional(), address: addressChanges.optional() }),
    output: nothing,
  },
  deleteOrganization: { input: instance.extend({ orgId: id }), output: nothing },
  addOrganizationUser: { input: ofPlace.extend({ loginOrEmail: text, role: text }), output: nothing },
  setOrganizationRole: { input: ofPlace.extend({ userId: id, role: text }), output: nothing },
  removeOrganizationUser: { input: ofPlace.extend({ userId: id }), output: nothing },
  organizationCredentials: { input: instance, output: organizationCredentials },
  setOrganizationCredentials: {
    input: instance.extend({
      credential,
    }),
    output: organizationCredentials,
  },
  removeOrganizationCredentials: { input: instance, output: organizationCredentials },
} as const
