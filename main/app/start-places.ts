import { join } from 'node:path'
import { silentPlace } from '../platform/child-process/silent-place'
import { configHome, policyFolder } from '../platform/storage/data-directory'
import { areOnOwnDisks } from '../platform/storage/own-disks'

/** The computer and its user. */
export interface StartOptions {
  readonly dataDir: string
  readonly platform: NodeJS.Platform
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
}

/**
 * Returns the first of the places that every start reads and that doesn't respond (docs/troubleshooting.md); undefined if
 * each answers. Ask it before anything reads them.
 */
export async function silentAtStart({
  dataDir,
  platform,
  env,
  home,
}: StartOptions): Promise<string | undefined> {
  const autostart = platform === 'linux' ? [join(configHome(env, home), 'autostart')] : []
  const places = [dataDir, policyFolder(platform), ...autostart]
  // The window waits for the answer, which takes a program a twentieth of its start.
  return areOnOwnDisks(places) ? undefined : silentPlace(places, { platform })
}
