import { release } from 'node:os'
import packageJson from '../../../package.json' with { type: 'json' }

/** Versions of the programs and the system, for the log and the support report. */
export interface Versions {
  readonly causeway: string
  readonly program: 'window' | 'terminal'
  readonly node: string
  readonly electron?: string
  readonly system: string
}

/** Returns the versions of this process, which is the window only as the main process of an Electron app. */
export function versions({
  versions: running,
  type,
}: {
  readonly versions: Readonly<Record<string, string | undefined>>
  /** `browser` in the main process of an Electron app, and missing in its Node mode, in which packages run the terminal command. */
  readonly type?: string
} = process): Versions {
  const { electron } = running
  return {
    causeway: packageJson.version,
    program: type === 'browser' ? 'window' : 'terminal',
    node: running.node ?? 'unknown',
    electron,
    system: `${process.platform} ${release()} ${process.arch}`,
  }
}
