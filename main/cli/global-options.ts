/**
 * The options that the terminal command and the desktop app share, with their descriptions (docs/terminal.md).
 * main/cli/options.ts parses them with commander, which a start of the window without options doesn't load.
 */
export const globalOptions = {
  '--data-dir <dir>': "the folder for Causeway's files",
  '--json': 'print only JSON',
  '--lang <tag>': "the preferred language for Causeway's and the service's texts, such as nl or pt-BR",
  '--secret-store <where>': "store secrets in the system's key store or in a file",
  '--browser <command>': 'the browser to sign in with; gets the address as its last argument',
  '--openvpn <path>': 'the OpenVPN program to use',
  '--discovery <url>': 'where the lists of organizations are',
  '--discovery-key <key>': 'the minisign public key of these lists; several with commas between them',
  '--verbose': "print more details, and OpenVPN's log",
  '--no-login': 'fail if a sign-in is required, instead of opening the browser',
} as const

/** The values of the shared options. */
export interface GlobalOptions {
  readonly dataDir?: string
  readonly json?: true
  readonly lang?: string
  readonly secretStore: 'os' | 'file'
  readonly browser?: string
  readonly openvpn?: string
  readonly discovery?: string
  readonly discoveryKey?: string
  readonly verbose?: true
  /** False with `--no-login`. */
  readonly login: boolean
}

/** The options of the app that the terminal command doesn't have. */
export const appOnlyOptions = {
  '--hidden': 'start in the tray, or minimized if there is no tray',
  '--connect': 'connect to the last profile',
} as const

/** The values of the app's own options. */
export interface AppOnlyOptions {
  readonly hidden?: true
  readonly connect?: true
}

/** The values without any option. */
export const noGlobalOptions: GlobalOptions = { secretStore: 'os', login: true }
