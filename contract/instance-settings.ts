import { z } from 'zod'
import { serviceNames, serviceRoles, type InstanceSettingName } from './choices'

const instance = z.object({ instanceId: z.string().max(2048) })
const typed = z.string().max(4096).optional()
const addresses = z.partialRecord(z.enum(serviceNames), z.string())

/** What the user changes of an instance (docs/services.md), as typed: an empty text takes back what was set. */
const instanceChanges = {
  clientId: typed,
  attachments: typed,
  content: typed,
  organizations: typed,
  userId: typed,
  /** With commas between them. */
  roles: typed,
} satisfies Record<InstanceSettingName, typeof typed>
export type InstanceChanges = Readonly<Partial<Record<InstanceSettingName, string | undefined>>>

export const instanceSettings = z.object({
  clientId: z.string().optional(),
  /** The one that is used where none is set. */
  builtInClientId: z.string(),
  services: addresses,
  userId: z.string().optional(),
  roles: z.array(z.enum(serviceRoles)),
  /** What the instance offers by itself; left out where it cannot be asked. */
  offered: addresses.optional(),
})
export type InstanceSettings = z.infer<typeof instanceSettings>

export const instanceSettingsCommands = {
  instanceSettings: { input: instance, output: instanceSettings },
  /** Fails with `usage/invalid-argument`; `details.argument` is one of `instanceArguments`. */
  setInstanceSettings: { input: instance.extend(instanceChanges), output: z.void() },
} as const
