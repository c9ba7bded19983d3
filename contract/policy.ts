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

const instance = z.strictObject({
  address: z.string().max(2048),
  clientId: z.string().max(256).exactOptional(),
  apiVersion: z.literal(apiVersions).exactOptional(),
})

const updates = z.strictObject({
  url: listAddress,
  keys: z
    .array(z.string().regex(/^RW[A-Za-z0-9+/]{54}$/))
    .min(1)
    .max(10),
})

const locked = z.strictObject(
  Object.fromEntries(
    (Object.keys(settings) as Exclude<SettingName, 'startAtLogin'>[]).map((name) => [
      name,
      valueOf(name).optional(),
    ]),
  ),
)

/**
 * Settings by an administrator for all users of a computer (docs/administrators.md). The schema knows no other names; the reader
 * (main/app/policy.ts) decides which unknown ones are skipped. Starting at login is left to the system's own means.
 */
export const policySchema = z.strictObject({
  $schema: z.string().optional(),
  /** An older version refuses the policy, for one whose locks it might not know. */
  minimumVersion: z
    .string()
    .regex(/^\d{1,5}\.\d{1,5}\.\d{1,5}$/)
    .exactOptional(),
  /** Instances that are in every user's list and can't be removed. */
  instances: z.array(instance).max(100).default([]),
  /** The update feed and the keys that sign it, instead of those of the build. */
  updates: updates.exactOptional(),
  /** Values that users can't change. */
  settings: locked.default({}).transform((values) => values as Partial<Settings>),
})

/** Returns the names that a part of a policy may have; `path` as in an issue of `policySchema`. */
export function policyNames(path: readonly PropertyKey[]): readonly string[] {
  const [part] = path
  if (part === undefined) return Object.keys(policySchema.shape)
  return Object.keys((part === 'instances' ? instance : part === 'updates' ? updates : locked).shape)
}
export type Policy = z.infer<typeof policySchema>

export const noPolicy: Policy = { instances: [], settings: {} }
