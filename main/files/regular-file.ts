import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'

/** `code` is `EISDIR` for a folder, and `not-a-file` for a pipe, a device or a socket. */
export class NotARegularFile extends Error {
  override readonly name = 'NotARegularFile'
  readonly code: 'EISDIR' | 'not-a-file'

  constructor(isDirectory: boolean) {
    super('This is not a regular file.')
    this.code = isDirectory ? 'EISDIR' : 'not-a-file'
  }
}

/** Does not wait for somebody at the other end of a pipe. Windows has no such flags. */
const flags =
  constants.O_RDONLY |
  ((constants.O_NONBLOCK as number | undefined) ?? 0) |
  ((constants.O_NOCTTY as number | undefined) ?? 0)

/**
 * Opens a file for reading. What a path leads to may be anything by the time it is opened, so the open file itself is
 * looked at. Throws NotARegularFile and the system's errors.
 */
export async function openRegularFile(path: string): Promise<FileHandle> {
  const handle = await open(path, flags)
  try {
    const found = await handle.stat()
    if (!found.isFile()) throw new NotARegularFile(found.isDirectory())
    return handle
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** Returns the content of a file. Throws as `openRegularFile`. */
export async function readRegularFile(path: string): Promise<Buffer> {
  const handle = await openRegularFile(path)
  try {
    return await handle.readFile()
  } finally {
    await handle.close()
  }
}

/** Returns the content of a file as UTF-8. Throws as `openRegularFile`. */
export function readRegularFileSync(path: string): string {
  const file = openSync(path, flags)
  try {
    const found = fstatSync(file)
    if (!found.isFile()) throw new NotARegularFile(found.isDirectory())
    return readFileSync(file, 'utf8')
  } finally {
    closeSync(file)
  }
}
