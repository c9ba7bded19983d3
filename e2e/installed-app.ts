import { constants } from 'node:fs'
import { copyFile, cp, link, mkdir, readdir, rm, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { electronPath } from './causeway-app'

/**
 * Lays the built app out as installers do: the runtime under the app's name, with the app in its resources. Resolves
 * with the program's path.
 */
export async function layOutInstalled(folder: string): Promise<string> {
  await linkTree(dirname(electronPath), folder)
  const program = join(folder, process.platform === 'win32' ? 'causeway.exe' : 'causeway')
  await linkOrCopy(electronPath, program)
  const resources = join(folder, 'resources')
  await rm(resources, { recursive: true, force: true })
  const app = join(resources, 'app')
  await mkdir(app, { recursive: true })
  await cp('package.json', join(app, 'package.json'))
  await cp('out', join(app, 'out'), { recursive: true })
  await symlink(join(import.meta.dirname, '..', 'node_modules'), join(app, 'node_modules'), 'junction')
  return program
}

async function linkTree(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true })
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) await linkTree(source, target)
    else await linkOrCopy(source, target)
  }
}

/** Hard links are fast, but work only on the same file system. */
async function linkOrCopy(from: string, to: string): Promise<void> {
  await link(from, to).catch(() => copyFile(from, to, constants.COPYFILE_FICLONE))
}
