import { Command, type Option } from 'commander'

/** The options that the terminal command and the desktop app share (INTERFACES, "Terminal command"). */
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

/**
 * A command whose every option is also an environment variable: `--data-dir` is `CAUSEWAY_DATA_DIR`. An option
 * without a value is on unless its variable is empty, `0` or `false`.
 */
export class CausewayCommand extends Command {
  override createCommand(name?: string): CausewayCommand {
    return new CausewayCommand(name)
  }

  override createOption(flags: string, description?: string): Option {
    const option = super.createOption(flags, description)
    const variable = `CAUSEWAY_${(option.long ?? '').replace(/^--/, '').replaceAll('-', '_').toUpperCase()}`
    const takesValue = option.required || option.optional
    return takesValue || isOn(process.env[variable]) ? option.env(variable) : option
  }
}

/** Whether the variable of an option without a value turns it on. */
export function isOn(value: string | undefined): boolean {
  return !['', '0', 'false'].includes(value ?? '')
}

/** Adds the shared options to a command. */
export function addGlobalOptions(command: CausewayCommand): CausewayCommand {
  const secretStore = command
    .createOption('--secret-store <where>', 'keep secrets in the key store of the system, or in a file')
    .choices(['os', 'file'])
    .default('os')
  return command
    .option('--data-dir <dir>', 'where Causeway keeps its files')
    .option('--json', 'print JSON only')
    .option('--lang <tag>', 'language of texts that come in several, such as nl or pt-BR')
    .addOption(secretStore)
    .option('--browser <command>', 'browser to log in with; gets the address as its last argument')
    .option('--openvpn <path>', 'the OpenVPN program to use')
    .option('--verbose', "say more, and show OpenVPN's log")
    .option('--no-login', 'fail where a login is needed, instead of opening the browser')
}
