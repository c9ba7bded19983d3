import { z } from 'zod'
import type terminal from './locales/en/terminal.json'
import { appList } from './apps'
import { appsModes } from './choices'
import { safeUrl } from './safe-url'

/** The texts that describe values that can't be listed: `terminal.settings.allowed` of the locales. */
export type ValueDescription = keyof typeof terminal.settings.allowed

const described = <Schema extends z.ZodType>(schema: Schema, as: ValueDescription): Schema =>
  schema.describe(as)

const languageTag = z.string().transform((text, context) => {
  try {
    return Intl.getCanonicalLocales(text)[0] ?? z.NEVER
  } catch {
    context.addIssue({ code: 'custom', message: 'not a language tag' })
    return z.NEVER
  }
})

/** An absolute path without control characters. Main also refuses paths of other systems and network shares. */
const absolutePath = z
  .string()
  .max(4096)
  .regex(/^(?:\/|[A-Z]:[\\/])\P{Cc}*$/iu)

/** Over https, or from this very computer. */
export const listAddress = z
  .string()
  .max(2048)
  // The pattern stands in docs/policy.schema.json, which can't hold the whole rule.
  .regex(/^https?:\/\/[^\s?#@\\]+$/i)
  .refine((text) => safeUrl('typed', text) !== undefined)

/** Public keys of minisign, with spaces or commas between them. */
const listKeys = z
  .string()
  .max(1024)
  .regex(/^RW[A-Za-z0-9+/]{54}(?:[\s,]+RW[A-Za-z0-9+/]{54})*$/)

/**
 * Schema of all settings, with values and defaults. settings.json, the window's state, and the terminal's names and allowed
 * values are derived from it.
 */
export const settingsSchema = z.object({
  /** `system`, or a language tag (BCP 47) in its canonical form. */
  language: z.union([z.literal('system'), described(languageTag, 'languageTag')]).default('system'),
  theme: z.enum(['system', 'light', 'dark']).default('system'),
  /** vpn-application-api.md, section 4. */
  remoteStrategy: z.literal([0, 1, 2]).default(1),
  /** Skip the UDP remotes of a profile. */
  preferTcp: z.boolean().default(false),
  /** Connect to the TCP servers of a profile through the proxy of the requests, if there is one. */
  tunnelProxy: z.boolean().default(false),
  /** Reconnect when the tunnel is lost. */
  reconnect: z.boolean().default(true),
  /** Block traffic outside the tunnel until the user disconnects; with the helper, or the service of Windows. */
  killSwitch: z.boolean().default(false),
  /**
   * Whether a tunnel for everything leaves the small private networks around the computer outside; on Linux with the helper, on Windows
   * with WireGuard.
   */
  localNetwork: z.enum(['allow', 'block']).default('allow'),
  /** Which apps use the tunnel: all, all but those of `apps`, or only these; Linux only, with the helper. */
  appsMode: z.enum(appsModes).default('all'),
  /** IDs of desktop entries and paths of programs, with commas between them. */
  apps: z.union([described(appList, 'appList'), described(z.literal(''), 'noApps')]).default(''),
  /** Whether apps outside the tunnel may go on while the kill switch blocks everything else. */
  appsOutside: z.enum(['allow', 'block']).default('allow'),
  /** Whose DNS servers apps outside the tunnel ask; the network's only where programs don't ask a resolver of the computer. */
  appsNames: z.enum(['tunnel', 'network']).default('tunnel'),
  /** Connect to the last profile when the app starts; never opens a browser. */
  autoConnect: z.boolean().default(false),
  /** Start the app minimised when the user logs in to the computer. */
  startAtLogin: z.boolean().default(false),
  /** Keep the app in the tray, if there is one, when the window closes. */
  closeToTray: z.boolean().default(true),
  /** Show desktop notifications while the window is not in front. */
  notifications: z.boolean().default(true),
  /** Look for new versions, if this build or the policy says where. */
  updates: z.boolean().default(true),
  /** Show the details of the connection: traffic, facts, and OpenVPN's log. */
  connectionDetails: z.boolean().default(false),
  /** The OpenVPN program; empty for automatic detection. */
  openvpnPath: z
    .union([described(absolutePath, 'absolutePath'), described(z.literal(''), 'searchOpenVpn')])
    .default(''),
  /** The address of the lists of organizations; empty for that of the build, if it has one. */
  discovery: z
    .union([described(listAddress, 'httpsAddress'), described(z.literal(''), 'builtInList')])
    .default(''),
  /** The public keys that sign these lists. */
  discoveryKey: z
    .union([described(listKeys, 'minisignKeys'), described(z.literal(''), 'builtInKeys')])
    .default(''),
})
export type Settings = Readonly<z.infer<typeof settingsSchema>>
export type SettingName = keyof Settings

export const settingName = settingsSchema.keyof()

/** The settings that the window may set. It can't name a program to run: main asks the user for that. */
export const windowSetting = settingName.exclude(['openvpnPath', 'apps'])

/** Returns the values of a setting as users type them, or the text of `describe` for values that can't be listed. */
export function allowedValues(
  name: SettingName,
  describe: (as: ValueDescription) => string,
): readonly string[] {
  return choices(settingsSchema.shape[name], describe).map(String)
}

/** Returns the listed value of a setting that the text names, else the text itself. */
export function valueOfText(name: SettingName, text: string): unknown {
  return choices(settingsSchema.shape[name]).find((value) => String(value) === text) ?? text
}

function choices(schema: z.core.$ZodType, describe?: (as: ValueDescription) => string): readonly unknown[] {
  if (schema instanceof z.ZodType && schema.description !== undefined)
    return describe === undefined ? [] : [describe(schema.description as ValueDescription)]
  if (schema instanceof z.ZodDefault) return choices(schema.unwrap(), describe)
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => choices(option, describe))
  if (schema instanceof z.ZodBoolean) return [true, false]
  if (schema instanceof z.ZodEnum) return schema.options
  return schema instanceof z.ZodLiteral ? [...schema.values] : []
}
