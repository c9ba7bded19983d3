import { homedir } from 'node:os'
import { addGlobalOptions, CausewayCommand, type GlobalOptions } from '../options'
import { dataDirectory } from '../settings/data-directory'

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

/**
 * The options of the desktop app from its arguments, without the program, and from the environment (INTERFACES,
 * "Terminal command"). Chromium has switches of its own on the same command line, and from source the app's path is
 * there too, so what is unknown passes.
 * Throws commander's CommanderError, after printing what is wrong, or help where that was asked for.
 */
export function readAppOptions(args: readonly string[], version: string): AppOptions {
  const command = addGlobalOptions(new CausewayCommand('causeway'))
    .description('VPN client for portals that speak the VPN application API')
    .version(version)
    .option('--hidden', 'start in the tray, or minimised where there is none')
    .allowUnknownOption()
    .allowExcessArguments()
    .exitOverride()
    .parse(args, { from: 'user' })
  const options = command.opts<GlobalOptions & { readonly hidden?: true }>()
  const browserCommand = options.browser ?? process.env.BROWSER
  return {
    dataDir: dataDirectory({
      platform: process.platform,
      env: process.env,
      home: homedir(),
      ...(options.dataDir === undefined ? {} : { override: options.dataDir }),
    }),
    secretStore: options.secretStore,
    login: options.login ? 'allowed' : 'never',
    verbose: options.verbose ?? false,
    hidden: options.hidden ?? false,
    ...(options.lang === undefined ? {} : { language: options.lang }),
    ...(browserCommand === undefined || browserCommand.trim() === '' ? {} : { browserCommand }),
    ...(options.openvpn === undefined ? {} : { openVpnPath: options.openvpn }),
  }
}
