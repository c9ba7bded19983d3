import { homedir } from 'node:os'
import type { Command } from 'commander'
import type { ReadingClients } from '../app/cached-reads'
import type { Services } from '../app/services'
import type { SharedCommands } from '../commands/shared-commands'
import { silentAtStart, type StartOptions } from '../app/start-places'
import { dataDirectory } from '../platform/storage/data-directory'
import type { Portal } from '../portal/portal'
import type { Instance } from '../portal/instance/instance'
import type { MaybeCached } from '../services/offline-cache/read-or-cached'
import type { Terminal } from './terminal'

/** The context of a terminal command. */
export interface Context {
  readonly services: Services
  readonly terminal: Terminal
  readonly login: 'allowed' | 'never'
  /** Aborts at the first Ctrl-C, SIGTERM or SIGHUP, and when the reader of the output is gone. */
  readonly signal: AbortSignal
  /** Returns true after a Ctrl-C, SIGTERM or SIGHUP. */
  isCancelled(): boolean
  /** Returns the user's languages, best first. */
  languages(): Promise<string[]>
  /** Runs a command that the window has too (main/commands/), and returns what the services answer. */
  readonly run: <Name extends keyof SharedCommands>(
    name: Name,
    input: Parameters<SharedCommands[Name]>[0],
  ) => Promise<Awaited<ReturnType<SharedCommands[Name]>>>
  /** Runs a call of the portal, with a login if needed and allowed. */
  authorized<T>(instance: Instance, call: (portal: Portal) => Promise<T>): Promise<T>
  /** Same as `authorized` for a read, with `--offline` from the cache if the instance can't be reached. */
  authorizedRead<T>(instance: Instance, read: (portal: ReadingClients['vpn']) => Promise<T>): Promise<T>
  /**
   * Returns the data of a read. For cached data it prints a notice with `--offline`, and otherwise throws the
   * error of the failed request, so that scripts don't take it for current data.
   */
  dataOf<T>(seen: MaybeCached<T>): T
}

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
