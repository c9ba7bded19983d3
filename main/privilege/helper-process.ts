import type { Readable, Writable } from 'node:stream'

/** The way in which the helper gets its rights. `service`: causeway-helper.exe, which has none, calls Causeway's service. */
export type Elevation = 'root' | 'pkexec' | 'sudo' | 'sudo-askpass' | 'launchd' | 'service'

/** A running helper, started by this process, launchd or Windows. */
export interface HelperProcess {
  readonly stdin: Writable
  /** The log of the tunnel. */
  readonly stdout: Readable
  readonly stderr: Readable
  /** Resolves when it has ended; neither a status nor a signal is known of one that launchd started and that was killed. */
  readonly ended: Promise<{ readonly exitCode?: number; readonly signal?: string }>
  /** Ends one that has not begun. */
  stop(): void
}
