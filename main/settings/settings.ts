import { z } from 'zod'
import { CausewayError } from '../errors'
import { isLocalPath } from '../programs/is-program'

const language = z.string().transform((text, context) => {
  const tag = text === 'system' ? text : canonicalTag(text)
  if (tag !== undefined) return tag
  context.addIssue({ code: 'custom', message: 'not a language tag' })
  return z.NEVER
})
const theme = z.enum(['system', 'light', 'dark'])
const remoteStrategy = z.literal([0, 1, 2])
const preferTcp = z.boolean()
// A relative path would run a file of the working directory, a network share whatever its server sends.
const openvpnPath = z
  .string()
  .max(4096)
  .refine((path) => path === '' || (isLocalPath(path) && !/\p{Cc}/u.test(path)))

/** What settings.json holds. A missing setting has its default; one of another Causeway is kept. */
export const settingsSchema = z.looseObject({
  language: language.default('system'),
  theme: theme.default('system'),
  remoteStrategy: remoteStrategy.default(1),
  preferTcp: preferTcp.default(false),
  reconnect: z.boolean().default(true),
  killSwitch: z.boolean().default(false),
  autoConnect: z.boolean().default(false),
  startAtLogin: z.boolean().default(false),
  closeToTray: z.boolean().default(true),
  notifications: z.boolean().default(true),
  connectionDetails: z.boolean().default(false),
  openvpnPath: openvpnPath.default(''),
})

/** Leaves out those of another Causeway. */
export const knownSettings = settingsSchema.strip()

export interface Settings {
  /** `system`, or a language tag (BCP 47) in its canonical form. */
  readonly language: string
  readonly theme: 'system' | 'light' | 'dark'
  /** vpn-application-api.md, section 4. */
  readonly remoteStrategy: 0 | 1 | 2
  /** Leave the UDP remotes of a profile out. */
  readonly preferTcp: boolean
  /** Build a tunnel anew that was up and is lost. */
  readonly reconnect: boolean
  /** Block what does not go through the tunnel, until the user disconnects; Linux, and only with the helper. */
  readonly killSwitch: boolean
  /** When the window's app starts, connect to what was connected last; never with a browser. */
  readonly autoConnect: boolean
  /** Start the window's app, minimised, when the person logs in to the computer. */
  readonly startAtLogin: boolean
  /** Closing the window leaves the app in the tray, where the desktop has one. */
  readonly closeToTray: boolean
  /** Tell on the desktop what happens while the window is not in front. */
  readonly notifications: boolean
  /** The window shows the details of the connection: traffic, facts, and OpenVPN's log. */
  readonly connectionDetails: boolean
  /** An absolute path, on Windows on a drive; empty to search for OpenVPN. */
  readonly openvpnPath: string
}

export type SettingName = keyof Settings

const digitsOfStrategy = z.enum(['0', '1', '2']).transform(Number).pipe(remoteStrategy)
const trueOrFalse = z.enum(['true', 'false']).transform((text) => text === 'true')

/** How each setting is read from text, and what a person is told of the values it takes. */
const fromText: {
  readonly [Name in SettingName]: {
    readonly schema: z.ZodType<Settings[Name], string>
    readonly allowed: readonly string[]
  }
} = {
  language: { schema: language, allowed: ['system', 'a language tag such as en or pt-BR'] },
  theme: { schema: theme, allowed: theme.options },
  remoteStrategy: { schema: digitsOfStrategy, allowed: ['0', '1', '2'] },
  preferTcp: { schema: trueOrFalse, allowed: ['true', 'false'] },
  reconnect: { schema: trueOrFalse, allowed: ['true', 'false'] },
  killSwitch: { schema: trueOrFalse, allowed: ['true', 'false'] },
  autoConnect: { schema: trueOrFalse, allowed: ['true', 'false'] },
  startAtLogin: { schema: trueOrFalse, allowed: ['true', 'false'] },
  closeToTray: { schema: trueOrFalse, allowed: ['true', 'false'] },
  notifications: { schema: trueOrFalse, allowed: ['true', 'false'] },
  connectionDetails: { schema: trueOrFalse, allowed: ['true', 'false'] },
  openvpnPath: { schema: openvpnPath, allowed: ['an absolute path', 'an empty text to search for OpenVPN'] },
}

/** Throws `settings/unknown`, with the names there are in `details.names`. */
export function settingName(name: string): SettingName {
  if (isSettingName(name)) return name
  const names = Object.keys(fromText)
  throw new CausewayError(
    'settings/unknown',
    `There is no setting of this name. The settings are ${names.join(', ')}.`,
    { details: { name: name.slice(0, 64), names } },
  )
}

/** The settings with this one changed. Throws `settings/invalid-value`, with `details.allowed`. */
export function withSetting<S extends Settings>(settings: S, name: SettingName, text: string): S {
  const { schema, allowed } = fromText[name]
  const parsed = schema.safeParse(text)
  if (parsed.success) return { ...settings, [name]: parsed.data }
  throw new CausewayError(
    'settings/invalid-value',
    `The setting ${name} does not take this value. It takes ${allowed.join(', or ')}.`,
    { details: { name, allowed } },
  )
}

function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(fromText, name)
}

function canonicalTag(text: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(text)[0]
  } catch {
    return undefined
  }
}
