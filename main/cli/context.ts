import type { Command } from 'commander'
import type { ReadingClients } from '../app/cached-reads'
import type { Services } from '../app/services'
import type { Portal } from '../portal/portal'
import type { Instance } from '../portal/instance/instance'
import type { Seen } from '../services/offline-cache/read-or-recall'
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
  /** Runs a call of the portal, with a login if needed and allowed. */
  authorized<T>(instance: Instance, call: (portal: Portal) => Promise<T>): Promise<T>
  /** Same as `authorized` for a read, with `--offline` from the cache if the instance can't be reached. */
  authorizedRead<T>(instance: Instance, read: (portal: ReadingClients['vpn']) => Promise<T>): Promise<T>
  /**
   * Returns the data of a read (`services.read`). For cached data it prints a notice with `--offline`, and otherwise throws the
   * error of the failed request, so that scripts don't take it for current data.
   */
  known<T>(seen: Seen<T>): T
}

/**
 * Returns a commander action that runs a command with new services (run-action.ts). They are loaded then, because help,
 * completion and wrong usage don't need them.
 */
export function action<Arguments extends unknown[]>(
  run: (context: Context, ...args: Arguments) => Promise<void>,
): (...args: [...Arguments, Command]) => Promise<void> {
  return async (...given) => {
    const { runAction } = await import('./run-action')
    const args = given.slice(0, -1) as unknown as Arguments
    await runAction(given.at(-1) as Command, (context) => run(context, ...args))
  }
}
