import { mkdirSync, statSync } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { reasonOf } from './file-system-error'

/*
 * Node.js' own `recursive` never ends below /proc: the system says there that a folder is missing, whose parent is there.
 * A second try of each folder is enough, for another process that made the one above it meanwhile.
 */

/** Makes a folder for its owner alone, and those above it, unless they are there. Throws the system's errors. */
export async function makeFolder(path: string): Promise<void> {
  const isThere = (folder: string) =>
    stat(folder).then(
      (found) => found.isDirectory(),
      () => false,
    )
  const make = async () => {
    try {
      await mkdir(path, { mode: 0o700 })
    } catch (error) {
      if (!(await isThere(path))) throw error
    }
  }
  try {
    await make()
  } catch (error) {
    if (reasonOf(error) !== 'ENOENT') throw error
    if (!(await isThere(dirname(path)))) await makeFolder(dirname(path))
    await make()
  }
}

/** Same as `makeFolder`, at once. */
export function makeFolderSync(path: string): void {
  const isThere = (folder: string) => statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true
  const make = () => {
    try {
      mkdirSync(path, { mode: 0o700 })
    } catch (error) {
      if (!isThere(path)) throw error
    }
  }
  try {
    make()
  } catch (error) {
    if (reasonOf(error) !== 'ENOENT') throw error
    if (!isThere(dirname(path))) makeFolderSync(dirname(path))
    make()
  }
}
