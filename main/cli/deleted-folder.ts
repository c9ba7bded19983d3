import { isAbsolute } from 'node:path'
import type { Command } from 'commander'
import type { GlobalOptions } from './global-options'

/**
 * Leaves a current folder that was deleted, because execa starts no program from it. Refuses a command with a path relative to
 * it. A command that starts a program for the user stays, as a shell does.
 */
export function leaveDeletedFolder(command: Command): void {
  if (!isDeleted() || command.registeredArguments.some((argument) => argument.name() === 'command')) return
  const { dataDir = '/', openvpn = '/' } = command.optsWithGlobals<Partial<GlobalOptions>>()
  // Without a path, a download goes to the current folder.
  const files = command.registeredArguments.flatMap((argument, at) =>
    argument.name() === 'file' ? [String(command.processedArgs[at] ?? '.')] : [],
  )
  if (![dataDir, openvpn, ...files].every(isAbsolute))
    command.error("error: the current folder doesn't exist any more; change to another one, then try again")
  process.chdir('/')
}

function isDeleted(): boolean {
  try {
    process.cwd()
    return false
  } catch {
    return true
  }
}
