import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { posix, resolve } from 'node:path'

/** Returns whether there is a file of this name that may be run; on Windows one on a drive, not on a network share. */
export async function isProgram(file: string, platform = process.platform): Promise<boolean> {
  try {
    if (!isLocalPath(resolve(file), platform)) return false
    await access(file, constants.X_OK)
    return (await stat(file)).isFile()
  } catch {
    return false
  }
}

/**
 * Returns whether the path is absolute and, on Windows, begins with a drive letter: network shares (`\\server\share`,
 * `\\?\UNC\…`) and devices do not, nor does `\folder`, which is on whichever drive is the current one.
 */
export function isLocalPath(path: string, platform = process.platform): boolean {
  return platform === 'win32' ? /^[A-Z]:[\\/]/i.test(path) : posix.isAbsolute(path)
}
