import { homedir } from 'node:os'
import {
  appOnlyOptions,
  globalOptions,
  noGlobalOptions,
  type AppOnlyOptions,
  type GlobalOptions,
} from '../../cli/global-options'
import { browserCommands } from '../../portal/oauth/open-browser'
import { dataDirectory } from '../../platform/storage/data-directory'

export interface AppOptions {
  /** Absolute. */
  readonly dataDir: string
  readonly secretStore: 'os' | 'file'
  /** True if connecting may open the browser for a login. */
  readonly login: 'allowed' | 'never'
  readonly verbose: boolean
  readonly language?: string
  readonly browserCommands: readonly string[]
  readonly openVpnPath?: string
  /** The address of the lists of organizations, and its publisher's keys. */
  readonly discovery?: { readonly url?: string; readonly keys?: string }
  /** True to start hidden, without taking the keyboard focus. */
  readonly hidden: boolean
  /** True to connect to the last profile. */
  readonly connect: boolean
  /** The `causeway:` link that the app was opened with. */
  readonly link?: string
}

/**
 * Reads the options of the desktop app from its arguments, without the program, and from the environment (docs/terminal.md,
 * "Terminal command"). Returns an exit status after printing help, the version or a usage error.
 */
export async function readAppOptions(
  args: readonly string[],
  version: string,
): Promise<AppOptions | { readonly exitStatus: 0 | 2 }> {
  const at = args.findIndex((arg) => /^causeway:/i.test(arg))
  // What follows a link may have been a part of it, which another program took apart: it's no option.
  const own = at === -1 ? args : args.slice(0, at)
  const link = args[at]
  if (isPlainStart(own, process.env)) return { ...appOptions(noGlobalOptions), link }
  const given = (await import('./app-arguments')).readAppArguments(own, version)
  return 'exitStatus' in given ? given : { ...appOptions(given), link }
}

/**
 * Returns true if neither arguments nor environment contain options, as when the desktop starts the app. Chromium's switches
 * don't count.
 */
export function isPlainStart(args: readonly string[], env: NodeJS.ProcessEnv): boolean {
  const names = [...Object.keys({ ...globalOptions, ...appOnlyOptions }), '--help', '--version'].map(
    (flags) => flags.replace(/ .*/, ''),
  )
  const isOurs = (arg: string): boolean => /^-[^-]/.test(arg) || names.includes(arg.replace(/=.*/s, ''))
  return !args.some(isOurs) && !Object.keys(env).some((name) => /^CAUSEWAY_/i.test(name))
}

/** Fills in missing options with the defaults of this system. */
export function appOptions(given: GlobalOptions & AppOnlyOptions): AppOptions {
  return {
    dataDir: dataDirectory({
      platform: process.platform,
      env: process.env,
      home: homedir(),
      override: given.dataDir,
    }),
    secretStore: given.secretStore,
    login: given.login ? 'allowed' : 'never',
    verbose: given.verbose ?? false,
    hidden: given.hidden ?? false,
    connect: given.connect ?? false,
    language: given.lang,
    browserCommands: browserCommands(given.browser, process.env, process.platform),
    openVpnPath: given.openvpn,
    discovery: { url: given.discovery, keys: given.discoveryKey },
  }
}
