import { z } from 'zod'
import { apiVersions } from './choices'
import { listAddress, type SettingName, type Settings, settingsSchema } from './settings'

/** The schema of a setting without its default, so that a policy sets only what it names. */
function valueOf<Name extends SettingName>(
  name: Name,
): (typeof settingsSchema.shape)[Name]['def']['innerType'] {
  return settingsSchema.shape[name].unwrap()
}

const { startAtLogin: _systemSwitch, ...settings } = settingsSchema.shape

/**
 * Settings by an administrator for all users of a computer (docs/administrators.md). A name that isn't known is refused, because
 * a setting with a typing error would not be locked. Starting at login is left to the system's own means.
 */
export const policySchema = z.strictObject({
  $schema: z.string().optional(),
  /** Instances that are in every user's list and can't be removed. */
  instances: z
    .array(
      z.strictObject({
        address: z.string().max(2048),
        clientId: z.string().max(256).exactOptional(),
        apiVersion: z.literal(apiVersions).exactOptional(),
      }),
    )
    .max(100)
    .default([]),
  /** The update feed and the keys that sign it, instead of those of the build. */
  updates: z
    .strictObject({
      url: listAddress,
      keys: z
        .array(z.string().regex(/^RW[A-Za-z0-9+/]{54}$/))
        .min(1)
        .max(10),
    })
    .exactOptional(),
  /** Values that users can't change. */
  settings: z
    .strictObject(
      Object.fromEntries(
        (Object.keys(settings) as Exclude<SettingName, 'startAtLogin'>[]).map((name) => [
          name,
          valueOf(name).optional(),
        ]),
      ),
    )
    .default({})
    .transform((values) => values as Partial<Settings>),
})
export type Policy = z.infer<typeof policySchema>

export const noPolicy: Policy = { instances: [], settings: {} }
