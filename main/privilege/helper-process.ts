import type { Readable, Writable } from 'node:stream'

/** The way in which the helper gets its rights. */
export type Elevation = 'root' | 'pkexec' | 'sudo' | 'sudo-askpass' | 'launchd'

/** A running helper, started by this process or by launchd. */
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
