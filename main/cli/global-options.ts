/**
 * The options that the terminal command and the desktop app share, with what they are for (INTERFACES, "Terminal command").
 * Apart from main/cli/options.ts, which has commander read them: a start of the window without any need not load it.
 */
export const globalOptions = {
  '--data-dir <dir>': "the folder for Causeway's files",
  '--json': 'print only JSON',
  '--lang <tag>': "the preferred language for the service's texts, such as nl or pt-BR",
  '--secret-store <where>': "store secrets in the system's key store or in a file",
  '--browser <command>': 'the browser to log in with; gets the address as its last argument',
  '--openvpn <path>': 'the OpenVPN program to use',
  '--verbose': "print more details, and OpenVPN's log",
  '--no-login': 'fail if a login is required, instead of opening the browser',
} as const

/** Their values. */
export interface GlobalOptions {
  readonly dataDir?: string
  readonly json?: true
  readonly lang?: string
  readonly secretStore: 'os' | 'file'
  readonly browser?: string
  readonly openvpn?: string
  readonly verbose?: true
  /** False with `--no-login`. */
  readonly login: boolean
}

/** The only option that the terminal command does not have. */
export const hiddenOption = ['--hidden', 'start in the tray, or minimized if there is no tray'] as const

/** Its value. */
export interface AppOnlyOptions {
  readonly hidden?: true
}

/** What they are where none is given. */
export const noGlobalOptions: GlobalOptions = { secretStore: 'os', login: true }
