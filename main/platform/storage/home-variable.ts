import { userInfo } from 'node:os'
import { isAbsolute } from 'node:path'

/**
 * Replaces an empty or relative HOME, as a container's or a unit's setup leaves it, by the home directory of the user database:
 * otherwise, tokens would be stored below the current folder, wherever that is.
 */
export function repairHome(env: Record<string, string | undefined>): void {
  if (env.HOME === undefined || isAbsolute(env.HOME)) return
  try {
    env.HOME = userInfo().homedir
  } catch {
    // A user without an entry.
    env.HOME = '/'
  }
}
