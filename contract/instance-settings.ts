import { z } from 'zod'
import { serviceRoles } from './choices'

/** What the user sets of an instance (docs/services.md), and what it says itself. */

const instance = z.object({ instanceId: z.string().max(2048) })
/** As typed; an empty one takes back what was set. */
const typed = z.string().max(4096).optional()

const serviceRole = z.enum(serviceRoles)

const addresses = z.object({
  attachments: z.string().optional(),
  content: z.string().optional(),
  organizations: z.string().optional(),
})

export const instanceSettings = z.object({
  clientId: z.string().optional(),
  /** The one that is used where none is set. */
  builtInClientId: z.string(),
  services: addresses,
  userId: z.string().optional(),
  roles: z.array(serviceRole),
  /** What the instance offers by itself; left out where it cannot be asked. */
  offered: addresses.optional(),
})
export type InstanceSettings = z.infer<typeof instanceSettings>

export const instanceSettingsCommands = {
  instanceSettings: { input: instance, output: instanceSettings },
  /** Fails with `usage/invalid-argument`; `details.argument` is one of these names, `client-id` or `user-id`. */
  setInstanceSettings: {
    input: instance.extend({
      clientId: typed,
      attachments: typed,
      content: typed,
      organizations: typed,
      userId: typed,
      roles: z.array(serviceRole).optional(),
    }),
    output: z.void(),
  },
} as const
