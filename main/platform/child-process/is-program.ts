import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { delimiter, isAbsolute, join, posix, resolve } from 'node:path'

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

/** Returns true for a program that is in PATH, or in a folder of administrators that PATH may lack. */
export async function isInPath(
  program: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  const folders = [...(env.PATH ?? '').split(delimiter).filter(isAbsolute), '/usr/sbin', '/sbin']
  const found = await Promise.all(folders.map((folder) => isProgram(join(folder, program))))
  return found.includes(true)
}

/**
 * Returns true for an absolute path, which on Windows must start with a drive letter. Network shares (`\\server\share`,
 * `\\?\UNC\…`), devices and `\folder`, which depends on the current drive, do not.
 */
export function isLocalPath(path: string, platform = process.platform): boolean {
  return platform === 'win32' ? /^[A-Z]:[\\/]/i.test(path) : posix.isAbsolute(path)
}
