import { lstat, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Returns true if resolv.conf still names the servers of a VPN that ended with the computer: the helper keeps the file from before
 * beside it while a tunnel is up. Nobody can look up names then, not even the VPN's portal.
 *
 * @param etc the folder of resolv.conf
 * @param processes the folder of the kernel that lists processes
 */
export async function isDnsLeft(etc = '/etc', processes = '/proc'): Promise<boolean> {
  try {
    // It may be a link to nothing.
    await lstat(join(etc, 'resolv.conf.before-causeway'))
  } catch {
    return false
  }
  const ids = (await readdir(processes)).filter((name) => /^\d+$/.test(name))
  const names = await Promise.all(
    ids.map((id) => readFile(join(processes, id, 'comm'), 'utf8').catch(() => '')),
  )
  return !names.includes('causeway-helper\n')
}
