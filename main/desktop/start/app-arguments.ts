import { CommanderError } from 'commander'
import { appOnlyOptions, type AppOnlyOptions, type GlobalOptions } from '../../cli/global-options'
import { addGlobalOptions, CausewayCommand } from '../../cli/options'

/**
 * Parses the app's options with commander (main/desktop/start/app-options.ts). Unknown arguments pass: the command line may also
 * contain Chromium's switches and, from source, the app's path.
 */
export function readAppArguments(
  args: readonly string[],
  version: string,
): (GlobalOptions & AppOnlyOptions) | { readonly exitStatus: 0 | 2 } {
  try {
    const command = addGlobalOptions(new CausewayCommand('causeway'))
    for (const option of Object.entries(appOnlyOptions)) command.option(...option)
    command
      .description('VPN client for eduVPN-style portals')
      .version(version)
      .allowUnknownOption()
      .allowExcessArguments()
      .exitOverride()
      .parse(args, { from: 'user' })
    return command.opts<GlobalOptions & AppOnlyOptions>()
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    return { exitStatus: error.exitCode === 0 ? 0 : 2 }
  }
}
