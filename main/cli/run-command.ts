import { CommanderError } from 'commander'
import packageJson from '../../package.json' with { type: 'json' }
import { leaveDeletedFolder } from './deleted-folder'
import { isOn } from './options'
import { createProgram } from './program'
import { reportUsageErrorsAs } from './usage-error'

/** Runs the terminal command with the arguments of this process, and sets its exit status. */
export async function runCommand(): Promise<void> {
  // Commander leaves the program and the script out of given arguments. Without any, it knows that an Electron app has no
  // script.
  const args = leaveNodeMode(process.env) ? process.argv : undefined
  const program = createProgram(packageJson.version)
  program.hook('preAction', (_program, command) => {
    leaveDeletedFolder(command)
  })
  reportUsageErrorsAs(program, process.argv.includes('--json') || isOn(process.env.CAUSEWAY_JSON))
  try {
    await program.parseAsync(args)
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    process.exitCode = error.exitCode === 0 ? 0 : 2
  }
}

/**
 * Restores the environment that build/linux/causeway changes to run this command in Electron's Node mode, so that programs
 * started from here don't get it. Returns true in that mode.
 */
function leaveNodeMode(env: NodeJS.ProcessEnv): boolean {
  if (env.ELECTRON_RUN_AS_NODE === undefined) return false
  const { CAUSEWAY_NODE_EXTRA_CA_CERTS: authorities } = env
  if (authorities !== undefined) env.NODE_EXTRA_CA_CERTS = authorities
  Reflect.deleteProperty(env, 'CAUSEWAY_NODE_EXTRA_CA_CERTS')
  return Reflect.deleteProperty(env, 'ELECTRON_RUN_AS_NODE')
}
