import type { ReadingClients } from '../app/cached-reads'
import type { Services } from '../app/services'
import type { SharedCommands } from '../commands/shared-commands'
import type { Instance } from '../portal/instance/instance'
import type { Portal } from '../portal/portal'
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
