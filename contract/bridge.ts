import type { CommandInput, CommandName, CommandResult } from './commands'
import type { AppState, ConnectionNews } from './state'

/** The channels of the bridge between preload/ and main/desktop/. This module imports only types: the preload script has no schemas. */
export const channels = {
  command: 'causeway:command',
  offerFiles: 'causeway:offer-files',
  state: 'causeway:state',
  painted: 'causeway:painted',
  stateChanged: 'causeway:state-changed',
  connectionNews: 'causeway:connection-news',
} as const

/**
 * What the preload script puts at `window.causeway`: it only forwards. Main checks what comes in and the renderer
 * what comes out (renderer/store/bridge.ts), so that the script itself needs no library.
 */
export interface UncheckedBridge {
  run(name: string, input: unknown): Promise<unknown>
  /** Tells main where files are that the person has dropped on the window. The page itself never learns it. */
  offerFiles(files: readonly File[]): Promise<unknown>
  state(): Promise<unknown>
  /** The page has been painted for the first time: from now on main may be busy. */
  painted(): void
  onStateChanged(listener: (changed: unknown) => void): () => void
  onConnectionNews(listener: (news: unknown) => void): () => void
}

/** The same with its types, after the checks. */
export interface Bridge {
  run<Name extends CommandName>(name: Name, input: CommandInput<Name>): Promise<CommandResult<Name>>
  /** As `chooseFiles`, for files that the person has dropped on the window. */
  offerFiles(files: readonly File[]): Promise<CommandResult<'chooseFiles'>>
  state(): Promise<AppState>
  /** Calls back with the slices that changed; returns how to stop it. */
  onStateChanged(listener: (changed: Partial<AppState>) => void): () => void
  /** Calls back with what `watchTraffic` and `watchConnectionLog` asked for; returns how to stop it. */
  onConnectionNews(listener: (news: ConnectionNews) => void): () => void
}
