/**
 * The options that the terminal command and the desktop app share, with what they are for (INTERFACES, "Terminal command").
 * Apart from main/cli/options.ts, which has commander read them: a start of the window without any need not load it.
 */
export const globalOptions = {
  '--data-dir <dir>': 'where Causeway keeps its files',
  '--json': 'print JSON only',
  '--lang <tag>': 'language of texts that come in several, such as nl or pt-BR',
  '--secret-store <where>': 'keep secrets in the key store of the system, or in a file',
  '--browser <command>': 'browser to log in with; gets the address as its last argument',
  '--openvpn <path>': 'the OpenVPN program to use',
  '--verbose': "say more, and show OpenVPN's log",
  '--no-login': 'fail where a login is needed, instead of opening the browser',
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

/** What they are where none is given. */
export const noGlobalOptions: GlobalOptions = { secretStore: 'os', login: true }
