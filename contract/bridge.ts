import type { CommandInput, CommandName, CommandResult } from './commands'
import type { AppState, ConnectionNews } from './state'

/** IPC channels between preload/ and main/desktop/. This module imports only types: the preload script has no schemas. */
export const channels = {
  command: 'causeway:command',
  offerFiles: 'causeway:offer-files',
  state: 'causeway:state',
  painted: 'causeway:painted',
  stateChanged: 'causeway:state-changed',
  connectionNews: 'causeway:connection-news',
} as const

/**
 * The object that the preload script exposes as `window.causeway`. It only forwards: main checks requests and the renderer
 * checks answers (renderer/store/bridge.ts), so the script itself needs no library.
 */
export interface UncheckedBridge {
  run(name: string, input: unknown): Promise<unknown>
  /** Sends the paths of dropped files to main. The page itself never sees them. */
  offerFiles(files: readonly File[]): Promise<unknown>
  state(): Promise<unknown>
  /** Reports the first paint. From then on main may start slow work. */
  painted(): void
  onStateChanged(listener: (changed: unknown) => void): () => void
  onConnectionNews(listener: (news: unknown) => void): () => void
}

/** The bridge with types, after the checks. */
export interface Bridge {
  run<Name extends CommandName>(name: Name, input: CommandInput<Name>): Promise<CommandResult<Name>>
  /** Same as `chooseFiles`, for files that the user dropped on the window. */
  offerFiles(files: readonly File[]): Promise<CommandResult<'chooseFiles'>>
  state(): Promise<AppState>
  /** Subscribes to the slices that change; returns a function that unsubscribes. */
  onStateChanged(listener: (changed: Partial<AppState>) => void): () => void
  /** Subscribes to the data of `watchTraffic` and `watchConnectionLog`; returns a function that unsubscribes. */
  onConnectionNews(listener: (news: ConnectionNews) => void): () => void
}
