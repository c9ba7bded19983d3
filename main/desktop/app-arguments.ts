import { CommanderError } from 'commander'
import { hiddenOption, type AppOnlyOptions, type GlobalOptions } from '../cli/global-options'
import { addGlobalOptions, CausewayCommand } from '../cli/options'

/**
 * Reads the options with commander (main/desktop/app-options.ts). Chromium has switches of its own on the same command line, and
 * from source the app's path is there too, so what is unknown passes.
 */
export function readAppArguments(
  args: readonly string[],
  version: string,
): (GlobalOptions & AppOnlyOptions) | { readonly exitStatus: 0 | 2 } {
  try {
    const command = addGlobalOptions(new CausewayCommand('causeway'))
      .description('VPN client for eduVPN-style portals')
      .version(version)
      .option(...hiddenOption)
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
