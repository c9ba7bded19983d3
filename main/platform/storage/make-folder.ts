import { mkdirSync, statSync } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { reasonOf } from './file-system-error'

/*
 * Node.js' own `recursive` never ends below /proc: the system says there that a folder is missing, whose parent is there.
 */

/** Makes a folder for its owner alone, and those above it, unless they are there. Throws the system's errors. */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (error) {
    const isThere = (folder: string) =>
      stat(folder).then(
        (found) => found.isDirectory(),
        () => false,
      )
    if (await isThere(path)) return
    if (reasonOf(error) !== 'ENOENT' || (await isThere(dirname(path)))) throw error
    await makeFolder(dirname(path))
    await makeFolder(path)
  }
}

/** Same as `makeFolder`, at once. */
export function makeFolderSync(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    const isThere = (folder: string) => statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true
    if (isThere(path)) return
    if (reasonOf(error) !== 'ENOENT' || isThere(dirname(path))) throw error
    makeFolderSync(dirname(path))
    makeFolderSync(path)
  }
}
