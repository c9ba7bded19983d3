import { z } from 'zod'

const languageTag = z.string().transform((text, context) => {
  try {
    return Intl.getCanonicalLocales(text)[0] ?? z.NEVER
  } catch {
    context.addIssue({ code: 'custom', message: 'not a language tag' })
    return z.NEVER
  }
})

/** Without control characters. Main also refuses what is no path of its own system, or on a network share. */
const absolutePath = z
  .string()
  .max(4096)
  .regex(/^(?:\/|[A-Z]:[\\/])\P{Cc}*$/iu)

/**
 * Every setting, with its values and its default. settings.json, the window's state, and the terminal's names and allowed
 * values are derived from it. A value that cannot be listed has a description for the terminal.
 */
export const settingsSchema = z.object({
  /** `system`, or a language tag (BCP 47) in its canonical form. */
  language: z
    .union([z.literal('system'), languageTag.describe('a language tag such as en or pt-BR')])
    .default('system'),
  theme: z.enum(['system', 'light', 'dark']).default('system'),
  /** vpn-application-api.md, section 4. */
  remoteStrategy: z.literal([0, 1, 2]).default(1),
  /** Leave the UDP remotes of a profile out. */
  preferTcp: z.boolean().default(false),
  /** Build a tunnel anew that was up and is lost. */
  reconnect: z.boolean().default(true),
  /** Block what does not go through the tunnel, until the user disconnects; Linux, and only with the helper. */
  killSwitch: z.boolean().default(false),
  /** When the window's app starts, connect to what was connected last; never with a browser. */
  autoConnect: z.boolean().default(false),
  /** Start the window's app, minimised, when the person logs in to the computer. */
  startAtLogin: z.boolean().default(false),
  /** Closing the window leaves the app in the tray, where the desktop has one. */
  closeToTray: z.boolean().default(true),
  /** Tell on the desktop what happens while the window is not in front. */
  notifications: z.boolean().default(true),
  /** The window shows the details of the connection: traffic, facts, and OpenVPN's log. */
  connectionDetails: z.boolean().default(false),
  /** The OpenVPN to use; empty to search for one. */
  openvpnPath: z
    .union([
      absolutePath.describe('an absolute path'),
      z.literal('').describe('an empty text to search for OpenVPN'),
    ])
    .default(''),
})
export type Settings = Readonly<z.infer<typeof settingsSchema>>
export type SettingName = keyof Settings

export const settingName = settingsSchema.keyof()

/** The settings that the window may give any value. It cannot name a program to be run: main asks the person for that. */
export const windowSetting = settingName.exclude(['openvpnPath'])

/** The values that a setting takes, as a person types them, or a description of those that cannot be listed. */
export function allowedValues(name: SettingName): readonly string[] {
  return choices(settingsSchema.shape[name]).map(String)
}

/** The value of a setting that a text stands for; the text itself where the values cannot be listed, or it is none. */
export function valueOfText(name: SettingName, text: string): unknown {
  return choices(settingsSchema.shape[name]).find((value) => String(value) === text) ?? text
}

function choices(schema: z.core.$ZodType): readonly unknown[] {
  if (schema instanceof z.ZodType && schema.description !== undefined) return [schema.description]
  if (schema instanceof z.ZodDefault) return choices(schema.unwrap())
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(choices)
  if (schema instanceof z.ZodBoolean) return [true, false]
  if (schema instanceof z.ZodEnum) return schema.options
  return schema instanceof z.ZodLiteral ? [...schema.values] : []
}
