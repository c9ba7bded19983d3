import { z } from 'zod'
import { addressLines } from './choices'

/**
 * What crosses for organizations (content-and-organization-apis.md, interface B). A token or password goes to main once, and
 * never comes back.
 */

const instance = z.object({ instanceId: z.string().max(2048) })
const nothing = z.void()
/** Unsigned, of any size. */
const id = z.string().regex(/^\d{1,20}$/)
const text = z.string().max(4096)

const whichOrganization = z.discriminatedUnion('by', [
  z.object({ by: z.literal('current') }),
  z.object({ by: z.literal('id'), orgId: id }),
  z.object({ by: z.literal('name'), name: text }),
])
export type WhichOrganization = z.infer<typeof whichOrganization>

/** The one that the caller belongs to, or the one of this number. */
const place = z.union([z.literal('current'), z.object({ orgId: id })])
export type OrganizationPlace = z.infer<typeof place>

const address = z.partialRecord(z.enum(addressLines), z.string())
export type OrganizationAddress = z.infer<typeof address>

export const organizationItem = z.object({
  orgId: id,
  name: z.string(),
  /** Undefined where the service does not say it, or not to this caller. */
  address: address.optional(),
})
export type OrganizationItem = z.infer<typeof organizationItem>

export const organizationUserItem = z.object({
  userId: id,
  login: z.string(),
  email: z.string(),
  /** One of `organizationRoles`, or one that only the server knows. */
  role: z.string(),
  /** In milliseconds since the epoch. */
  lastSeenAt: z.number().optional(),
})
export type OrganizationUserItem = z.infer<typeof organizationUserItem>

/** `unreadable` is how many records of the service's list were no users. */
const organizationUserList = z.object({
  users: z.array(organizationUserItem),
  unreadable: z.int().nonnegative(),
})

/**
 * `seenAt`: where the service could not be reached, and this is what it last said; ms since the epoch. `host` could not be
 * reached then.
 */
const answerOf = <Data extends z.ZodType>(data: Data) =>
  z.object({ data, seenAt: z.number().optional(), host: z.string().optional() })

const ofPlace = instance.extend({ place })
const addressChanges = z.partialRecord(z.enum(addressLines), text)

/** Which credentials there are for the organization service of an instance; never the secrets. */
export const organizationCredentials = z.object({
  bearer: z.boolean(),
  basic: z.string().optional(),
  /** The only place that they are sent to. */
  origin: z.string().optional(),
  /** Where Causeway keeps secrets on this computer. */
  keptIn: z.enum(['key-store', 'file']),
})
export type OrganizationCredentialsItem = z.infer<typeof organizationCredentials>

export const organizationsCommands = {
  /** With its address, where the caller may read that. */
  showOrganization: {
    input: instance.extend({ which: whichOrganization }),
    output: answerOf(organizationItem),
  },
  listOrganizationUsers: { input: ofPlace, output: answerOf(organizationUserList) },
  createOrganization: {
    input: instance.extend({ name: text }),
    /** Undefined where the service does not say which number it has. */
    output: z.object({ orgId: id.optional() }),
  },
  /** Lines of the address that are not named stay as they are. */
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
      credential: z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('bearer'), token: z.string().max(16_384) }),
        z.object({ kind: z.literal('basic'), user: text, password: z.string().max(16_384) }),
      ]),
    }),
    output: organizationCredentials,
  },
  removeOrganizationCredentials: { input: instance, output: organizationCredentials },
} as const
