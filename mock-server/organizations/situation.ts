import { z } from 'zod'
import { organizationSchema, roleSchema } from './organization'

/** What scenarios and control calls bend. It says nothing of what clients did. */
export const situationSchema = z.object({
  /** What the caller may do: below Admin only reading. */
  callerRole: roleSchema,
  /** Nobody is let in, whatever they send. */
  isSignedOut: z.boolean(),
  /** Whatever name a client gives, another organization has it. */
  isEveryNameTaken: z.boolean(),
  /** Whoever is to be changed or removed was removed by somebody else before. */
  isEveryUserGone: z.boolean(),
  statusMessages: z.enum(['full', 'string-ids', 'empty']),
  orgUsers: z.enum(['full', 'bare']),
  /** Organizations that look other than they are, by id; null is one that cannot be seen. */
  replaced: z.record(z.string(), organizationSchema.nullable()),
})
export type Situation = z.infer<typeof situationSchema>

export const normal: Situation = {
  callerRole: 'Admin',
  isSignedOut: false,
  isEveryNameTaken: false,
  isEveryUserGone: false,
  statusMessages: 'full',
  orgUsers: 'full',
  replaced: {},
}
