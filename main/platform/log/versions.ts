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

export function versions(
  // There is no Electron in the terminal, despite its types.
  running: Readonly<Record<string, string | undefined>> = process.versions,
): Versions {
  const { electron } = running
  return {
    causeway: packageJson.version,
    program: electron === undefined ? 'terminal' : 'window',
    node: running.node ?? 'unknown',
    ...(electron === undefined ? {} : { electron }),
    system: `${process.platform} ${release()} ${process.arch}`,
  }
}
