import { join } from 'node:path'
import { silentPlace } from '../platform/child-process/silent-place'
import { configHome, policyFolder } from '../platform/storage/data-directory'

/** The computer and its user. */
export interface StartOptions {
  readonly dataDir: string
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
}

/**
 * Returns the first of the places that every start reads and of which the system says nothing (docs/troubleshooting.md); undefined if
 * each answers. Ask it before anything reads them.
 */
export function silentAtStart({ dataDir, platform, env, home }: StartOptions): Promise<string | undefined> {
  const autostart = platform === 'linux' ? [join(configHome(env, home), 'autostart')] : []
  return silentPlace([dataDir, policyFolder(platform), ...autostart], { platform })
}
