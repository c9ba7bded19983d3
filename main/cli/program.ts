import { addGlobalOptions, CausewayCommand } from './options'
import { addAttachmentCommands } from './commands/attachment'
import { addCertificateCommands } from './commands/certificate'
import { addConnectCommand } from './commands/connect'
import { addContentCommands } from './commands/content'
import { addDoctorCommand } from './commands/doctor'
import { addHelperCommands } from './commands/helper'
import { addInstanceCommands } from './commands/instance'
import { addLogCommands } from './commands/log'
import { addLoginCommands } from './commands/login'
import { addMessageCommands } from './commands/message'
import { addOrganizationCommands } from './commands/organization'
import { addProfileCommands } from './commands/profile'
import { addSettingsCommands } from './commands/settings'
import { addStatusCommands } from './commands/status'

/** The terminal command `causeway` (INTERFACES, "Terminal command"). */
export function createProgram(version: string): CausewayCommand {
  const program = addGlobalOptions(new CausewayCommand('causeway'))
    .description('VPN client for portals that speak the VPN application API')
    .version(version)
    .option('--offline', 'where a service cannot be reached, print what it said last, with its age')
    .showHelpAfterError('(causeway --help lists what there is)')
  addInstanceCommands(program)
  addLoginCommands(program)
  addProfileCommands(program)
  addConnectCommand(program)
  addStatusCommands(program)
  addCertificateCommands(program)
  addMessageCommands(program)
  addAttachmentCommands(program)
  addContentCommands(program)
  addOrganizationCommands(program)
  addSettingsCommands(program)
  addDoctorCommand(program)
  addHelperCommands(program)
  addLogCommands(program)
  return program
}
