import { z } from 'zod'
import { apiVersions, serviceNames, serviceRoles, type InstanceSettingName } from './choices'

const typed = z.string().max(4096).optional()
const addresses = z.partialRecord(z.enum(serviceNames), z.string())

/** The user's changes to an instance (docs/services.md), as typed. An empty text resets a setting. */
export const instanceChanges = {
  name: typed,
  clientId: typed,
  api: typed,
  attachments: typed,
  content: typed,
  organizations: typed,
  userId: typed,
  /** Separated by commas. */
  roles: typed,
} satisfies Record<InstanceSettingName, typeof typed>
export type InstanceChanges = Readonly<Partial<Record<InstanceSettingName, string | undefined>>>

export const instanceSettings = z.object({
  /** The person's own name for it. */
  name: z.string().optional(),
  clientId: z.string().optional(),
  /** The default client id. */
  builtInClientId: z.string(),
  /** The API version that is set; absent for the newest one that the instance offers. */
  apiVersion: z.literal(apiVersions).optional(),
  services: addresses,
  userId: z.string().optional(),
  roles: z.array(z.enum(serviceRoles)),
  /** The services that the instance announces; absent if it can't be reached. */
  offered: addresses.optional(),
})
export type InstanceSettings = z.infer<typeof instanceSettings>
