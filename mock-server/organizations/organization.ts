import { z } from 'zod'
import { Refusal } from '../http/refusal'

export const roleSchema = z.enum(['Viewer', 'Editor', 'Admin'], { error: 'must be Viewer, Editor or Admin' })
export type Role = z.infer<typeof roleSchema>

/** Returns the schema of an address with this schema for each line. */
export const addressOf = <Line extends z.ZodType>(line: Line) =>
  z.object(
    { address1: line, address2: line, city: line, zipCode: line, state: line, country: line },
    { error: 'must be an object' },
  )

export const addressSchema = addressOf(z.string())
export type Address = z.infer<typeof addressSchema>

export const noAddress: Address = addressOf(z.string().default('')).parse({})

const memberSchema = z.object({ userId: z.int(), role: roleSchema })
export type Member = z.infer<typeof memberSchema>

export const organizationSchema = z.object({
  id: z.int(),
  name: z.string(),
  address: addressSchema,
  members: z.array(memberSchema),
})
export type Organization = z.infer<typeof organizationSchema>

export const userSchema = z.object({
  id: z.int(),
  login: z.string(),
  email: z.string(),
  lastSeenAt: z.string(),
})
export type User = z.infer<typeof userSchema>

export const callerId = 1

/** Status and message of each kind of refusal (field notes, "Organization API"). */
const refusals = {
  unauthorized: [401, 'Unauthorized'],
  accessDenied: [403, 'Access denied'],
  organizationNotFound: [404, 'Organization not found'],
  userNotFound: [404, 'User not found'],
  nameTaken: [409, 'Organization name taken'],
  alreadyMember: [409, 'User is already member of this organization'],
  lastAdmin: [400, 'Cannot remove last organization admin'],
  notExact: [400, 'The body is not exactly what the document has'],
  currentOrganization: [400, 'Can not delete org for current user'],
} as const

export function refused(reason: keyof typeof refusals): Refusal {
  const [status, message] = refusals[reason]
  return new Refusal(status, message)
}
