import { homedir } from 'node:os'
import { globalOptions, noGlobalOptions, type GlobalOptions } from '../cli/global-options'
import { dataDirectory } from '../platform/storage/data-directory'

export interface AppOptions {
  /** Absolute. */
  readonly dataDir: string
  readonly secretStore: 'os' | 'file'
  /** Whether connecting may open the browser where a login is needed. */
  readonly login: 'allowed' | 'never'
  readonly verbose: boolean
  readonly language?: string
  readonly browserCommand?: string
  readonly openVpnPath?: string
  /** Whether to start out of sight, without taking the keyboard from what the person is doing. */
  readonly hidden: boolean
}

/** What commander finds. */
export type GivenOptions = GlobalOptions & { readonly hidden?: true }

/** The only option that the terminal command does not have. */
export const hiddenOption = ['--hidden', 'start in the tray, or minimised where there is none'] as const

/**
 * The options of the desktop app from its arguments, without the program, and from the environment (INTERFACES,
 * "Terminal command"); an exit status instead, after printing what is wrong, or help or version where these were asked for.
 */
export async function readAppOptions(
  args: readonly string[],
  version: string,
): Promise<AppOptions | { readonly exitStatus: 0 | 2 }> {
  if (isPlainStart(args, process.env)) return appOptions(noGlobalOptions)
  return (await import('./app-arguments')).readAppArguments(args, version)
}

/**
 * Whether neither arguments nor environment have anything to read: as the desktop starts the app. Chromium's own switches may
 * be there.
 */
export function isPlainStart(args: readonly string[], env: NodeJS.ProcessEnv): boolean {
  const names = [...Object.keys(globalOptions), hiddenOption[0], '--help', '--version'].map((flags) =>
    flags.replace(/ .*/, ''),
  )
  const isOurs = (arg: string): boolean => /^-[^-]/.test(arg) || names.includes(arg.replace(/=.*/s, ''))
  return !args.some(isOurs) && !Object.keys(env).some((name) => /^CAUSEWAY_/i.test(name))
}

/** With what follows from the system where an option is not given. */
export function appOptions(given: GivenOptions): AppOptions {
  const browserCommand = given.browser ?? process.env.BROWSER
  return {
    dataDir: dataDirectory({
      platform: process.platform,
      env: process.env,
      home: homedir(),
      ...(given.dataDir === undefined ? {} : { override: given.dataDir }),
    }),
    secretStore: given.secretStore,
    login: given.login ? 'allowed' : 'never',
    verbose: given.verbose ?? false,
    hidden: given.hidden ?? false,
    ...(given.lang === undefined ? {} : { language: given.lang }),
    ...(browserCommand === undefined || browserCommand.trim() === '' ? {} : { browserCommand }),
    ...(given.openvpn === undefined ? {} : { openVpnPath: given.openvpn }),
  }
}
