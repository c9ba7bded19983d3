import { homedir } from 'node:os'
import type { Command } from 'commander'
import { silentAtStart, type StartOptions } from '../app/start-places'
import { dataDirectory } from '../platform/storage/data-directory'
import type { Instance } from '../portal/instance/instance'
import type { Context } from './command-context'

/**
 * Returns a commander action that runs a command with new services (run-action.ts). They are loaded then, because help,
 * completion and wrong usage don't need them.
 */
export function action<Arguments extends unknown[]>(
  run: (context: Context, ...args: Arguments) => Promise<void>,
): (...args: [...Arguments, Command]) => Promise<void> {
  return async (...given) => {
    const command = given.at(-1) as Command
    const start = startOf(command)
    // While the services load.
    const silent = silentAtStart(start)
    const { runAction } = await import('./run-action')
    const args = given.slice(0, -1) as unknown as Arguments
    await runAction(command, { ...start, silent }, (context) => run(context, ...args))
  }
}

/** Returns where a command keeps its data, and for whom. */
function startOf(command: Command): StartOptions {
  const { dataDir: override } = command.optsWithGlobals<{ readonly dataDir?: string }>()
  const computer = { platform: process.platform, env: process.env, home: homedir() }
  return { ...computer, dataDir: dataDirectory({ ...computer, override }) }
}

/** The context of a command on one instance. */
export interface InstanceContext extends Context {
  readonly instance: Instance
}

/** Adds the option that names the instance, for `onInstance`. */
export function withInstance(command: Command): Command {
  return command.option('--instance <instance>', instanceWords)
}

/** Adds the last argument, which names the instance, for `onInstance`. */
export function withInstanceArgument(command: Command): Command {
  return command.argument('[instance]', instanceWords)
}

const instanceWords = "the instance's ID or address"

/** Same as `action` for a command on one instance: the named one, or the only one. `run` gets the other arguments. */
export function onInstance<Arguments extends unknown[]>(
  run: (context: InstanceContext, ...args: Arguments) => Promise<void>,
): (...args: [...Arguments, Command]) => Promise<void> {
  return (...given) => {
    const command = given.at(-1) as Command
    const options = command.opts<{ readonly instance?: string }>()
    const isArgument = command.registeredArguments.at(-1)?.name() === 'instance'
    const named = isArgument ? (command.processedArgs.at(-1) as string | undefined) : options.instance
    const others = [...given.slice(0, isArgument ? -3 : -2), options] as unknown as Arguments
    return action<[]>(async (context) => {
      const instance = await context.services.instances.find(named)
      await run({ ...context, instance }, ...others)
    })(command)
  }
}
