import { lstat, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** The folder with NetworkManager's files of this run of the computer. */
const networkManagerFiles = '/run/NetworkManager/conf.d'

async function firstLine(path: string): Promise<string> {
  const text = await readFile(path, 'utf8').catch(() => '')
  return text.split('\n', 1)[0] ?? ''
}

/**
 * Returns true if the computer still asks the servers of a VPN that has ended without its helper, by a loss of power or a kill: the
 * helper keeps resolv.conf from before beside it while a tunnel is up, or has a file for NetworkManager. Nobody can look up names
 * then, not even the VPN's portal.
 *
 * @param places the folder of resolv.conf, that of NetworkManager's files, and that of the kernel that lists processes
 * @param owner the user who runs helpers
 */
export async function isDnsLeft(
  places = { etc: '/etc', networkManager: networkManagerFiles, processes: '/proc' },
  owner = 0,
): Promise<boolean> {
  const { etc, networkManager, processes } = places
  // It may be a link to nothing.
  const isKept = await lstat(join(etc, 'resolv.conf.before-causeway')).catch(() => undefined)
  const files = isKept === undefined ? await readdir(networkManager).catch(() => []) : []
  const isLeft = isKept !== undefined || files.some((name) => name.startsWith('zz-causeway-'))
  // Somebody may have deleted what was kept.
  if (!isLeft && !(await firstLine(join(etc, 'resolv.conf'))).startsWith('# Written by Causeway '))
    return false
  const isHelper = async (id: string): Promise<boolean> => {
    const folder = join(processes, id)
    // Anybody may give a process this name.
    return (
      (await readFile(join(folder, 'comm'), 'utf8')) === 'causeway-helper\n' &&
      (await stat(folder)).uid === owner
    )
  }
  const ids = (await readdir(processes)).filter((name) => /^\d+$/.test(name))
  // A process may end meanwhile.
  const areHelpers = await Promise.all(ids.map((id) => isHelper(id).catch(() => false)))
  return !areHelpers.includes(true)
}
