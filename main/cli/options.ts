import { Command, InvalidArgumentError, type Option } from 'commander'
import { globalOptions, noGlobalOptions } from './global-options'

/**
 * A command whose options can also be set in the environment: `--data-dir` as `CAUSEWAY_DATA_DIR`. An option without a value is
 * on unless its variable is empty, `0` or `false`.
 */
export class CausewayCommand extends Command {
  override createCommand(name?: string): CausewayCommand {
    return new CausewayCommand(name)
  }

  override addOption(option: Option): this {
    const variable = `CAUSEWAY_${(option.long ?? '').replace(/^--/, '').replaceAll('-', '_').toUpperCase()}`
    const takesValue = option.required || option.optional
    return super.addOption(takesValue || isOn(process.env[variable]) ? option.env(variable) : option)
  }
}

/** Returns true if the variable of an option without a value turns it on. */
export function isOn(value: string | undefined): boolean {
  return !['', '0', 'false'].includes(value ?? '')
}

/** Adds the shared options to a command. */
export function addGlobalOptions(command: CausewayCommand): CausewayCommand {
  for (const [flags, description] of Object.entries(globalOptions)) {
    const option = command.createOption(flags, description)
    if (flags === '--secret-store <where>')
      option.choices(['os', 'file']).default(noGlobalOptions.secretStore)
    if (flags === '--lang <tag>') option.argParser(languageTag)
    command.addOption(option)
  }
  return command
}

function languageTag(text: string): string {
  try {
    return Intl.getCanonicalLocales(text)[0] ?? text
  } catch {
    throw new InvalidArgumentError('It must be a language tag such as nl or pt-BR.')
  }
}
