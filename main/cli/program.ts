import { Argument, type Command } from 'commander'
import { completionScript, type Shell, shells } from './completion'
import { addGlobalOptions, CausewayCommand } from './options'
import { addAppCommand } from './commands/app'
import { addAppsCommands } from './commands/apps'
import { addAttachmentCommands } from './commands/attachment'
import { addCertificateCommands } from './commands/certificate'
import { addConnectCommand } from './commands/connect'
import { addContentCommands } from './commands/content'
import { addDiscoverCommand } from './commands/discover'
import { addDoctorCommand } from './commands/doctor'
import { addHelperCommands } from './commands/helper'
import { addInstanceCommands } from './commands/instance'
import { addLocationCommands } from './commands/location'
import { addLogCommands } from './commands/log'
import { addLoginCommands } from './commands/login'
import { addMessageCommands } from './commands/message'
import { addOrganizationCommands } from './commands/organization'
import { addPolicyCommands } from './commands/policy'
import { addProfileCommands } from './commands/profile'
import { addSettingsCommands } from './commands/settings'
import { addStatusCommands } from './commands/status'

/** Creates the terminal command `causeway` (docs/terminal.md). */
export function createProgram(version: string): CausewayCommand {
  const program = addGlobalOptions(new CausewayCommand('causeway'))
    .description('VPN client for eduVPN-style portals')
    .version(version)
    .option('--offline', "if a service can't be reached, print its last known data, with the time")
    .option('--quiet', 'print no warnings')
  addDiscoverCommand(program)
  addInstanceCommands(program)
  addLocationCommands(program)
  addLoginCommands(program)
  addProfileCommands(program)
  addConnectCommand(program)
  addStatusCommands(program)
  addAppsCommands(program)
  addCertificateCommands(program)
  addMessageCommands(program)
  addAttachmentCommands(program)
  addContentCommands(program)
  addOrganizationCommands(program)
  addSettingsCommands(program)
  addPolicyCommands(program)
  addDoctorCommand(program)
  addHelperCommands(program)
  addLogCommands(program)
  program
    .command('completion')
    .description('print the script that completes commands in bash, zsh or fish')
    .addArgument(new Argument('<shell>').choices(shells))
    .action((shell: Shell, _options: object, command: Command) => {
      // In the environment it is meant for other commands.
      if (program.getOptionValueSource('json') === 'cli')
        command.error("error: option '--json' can't be used with 'completion', which prints a script")
      process.stdout.write(completionScript(program, shell))
    })
  addAppCommand(program)
  return program
}
