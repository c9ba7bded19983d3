import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { posix, resolve } from 'node:path'

/** Returns true for an executable file; on Windows only on a drive, not on a network share. */
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
 * Returns true for an absolute path, which on Windows must start with a drive letter. Network shares (`\\server\share`,
 * `\\?\UNC\…`), devices and `\folder`, which depends on the current drive, do not.
 */
export function isLocalPath(path: string, platform = process.platform): boolean {
  return platform === 'win32' ? /^[A-Z]:[\\/]/i.test(path) : posix.isAbsolute(path)
}
