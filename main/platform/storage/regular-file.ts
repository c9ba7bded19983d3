import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs'
import { open, rename, rm, writeFile, type FileHandle } from 'node:fs/promises'

/** The path is not a regular file. `code` is `EISDIR` for a folder, and `not-a-file` for a pipe, a device or a socket. */
export class NotARegularFile extends Error {
  override readonly name = 'NotARegularFile'
  readonly code: 'EISDIR' | 'not-a-file'

  constructor(isDirectory: boolean) {
    super("This isn't a regular file.")
    this.code = isDirectory ? 'EISDIR' : 'not-a-file'
  }
}

/** Flags for opening without waiting for the other end of a pipe. Windows has no such flags. */
const withoutWaiting =
  ((constants.O_NONBLOCK as number | undefined) ?? 0) | ((constants.O_NOCTTY as number | undefined) ?? 0)
const reading = constants.O_RDONLY | withoutWaiting
const appending = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | withoutWaiting

/**
 * Opens a file for reading. Checks the open file itself, because the path may lead to something else by then. Throws
 * NotARegularFile and the system's errors.
 */
export function openRegularFile(path: string): Promise<FileHandle> {
  return openRegular(path, reading)
}

async function openRegular(path: string, flags: number): Promise<FileHandle> {
  const handle = await open(path, flags, 0o600)
  try {
    const found = await handle.stat()
    if (!found.isFile()) throw new NotARegularFile(found.isDirectory())
    return handle
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** Returns the content of a file. Throws the same errors as `openRegularFile`. */
export async function readRegularFile(path: string): Promise<Buffer> {
  const handle = await openRegularFile(path)
  try {
    return await handle.readFile()
  } finally {
    await handle.close()
  }
}

/** Returns at most so many bytes from the beginning of a file. Throws the same errors as `openRegularFile`. */
export async function firstBytes(path: string, length: number): Promise<Buffer> {
  const handle = await openRegularFile(path)
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(length), 0, length, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

/** Returns the content of a file as UTF-8. Throws the same errors as `openRegularFile`. */
export function readRegularFileSync(path: string): string {
  const file = openSync(path, reading)
  try {
    const found = fstatSync(file)
    if (!found.isFile()) throw new NotARegularFile(found.isDirectory())
    return readFileSync(file, 'utf8')
  } finally {
    closeSync(file)
  }
}

/** Appends text to a file, which is created for its owner alone if missing. Throws the same errors as `openRegularFile`. */
export async function appendRegularFile(path: string, text: string): Promise<void> {
  const handle = await openRegular(path, appending)
  try {
    await handle.appendFile(text)
  } finally {
    await handle.close()
  }
}

/**
 * Replaces a file in one step with a file for its owner alone. Replaces anything at the path, or at `<path>.new`, without
 * opening it. Throws the system's errors.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const unfinished = `${path}.new`
  await rm(unfinished, { force: true })
  await writeFile(unfinished, text, { flag: 'wx', mode: 0o600 })
  await rename(unfinished, path)
}
