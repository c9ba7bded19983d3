import type { FileHandle } from 'node:fs/promises'
import { stat } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { reasonOf } from '../storage/file-system-error'
import { openRegularFile } from '../storage/regular-file'
import { logPath } from './log-file'

const lookEveryMs = 200

/**
 * Calls back with the lines that are added to the log, from the first byte of its current file, until the signal aborts. Goes on
 * with the next file when the log is rotated. Throws the system's errors.
 */
export async function followLog(
  folder: string,
  signal: AbortSignal,
  onLines: (lines: string[]) => void,
): Promise<void> {
  const path = logPath(folder)
  let current: LogReader | undefined
  try {
    while (!signal.aborted) {
      current ??= await openIfThere(path)
      // Looked at before the last read, so that no line of a file that is replaced is left out.
      const isReplaced = current !== undefined && (await inode(path)) !== current.inode
      const lines = await current?.newLines()
      if (lines !== undefined && lines.length > 0) onLines(lines)
      if (isReplaced) {
        await current?.close()
        current = undefined
      } else await delay(lookEveryMs, undefined, { signal }).catch(() => undefined)
    }
  } finally {
    await current?.close()
  }
}

/** Reads what is added to one file. */
class LogReader {
  readonly inode: number
  readonly #file: FileHandle
  readonly #decoder = new TextDecoder()
  #position = 0
  #rest = ''

  constructor(file: FileHandle, inode: number) {
    this.#file = file
    this.inode = inode
  }

  /** Returns the complete lines that were added since the last call. */
  async newLines(): Promise<string[]> {
    const { size } = await this.#file.stat()
    // The user has emptied the file.
    if (size < this.#position) [this.#position, this.#rest] = [0, '']
    const { buffer, bytesRead } = await this.#file.read({
      buffer: Buffer.alloc(Math.max(0, size - this.#position)),
      position: this.#position,
    })
    this.#position += bytesRead
    const lines =
      `${this.#rest}${this.#decoder.decode(buffer.subarray(0, bytesRead), { stream: true })}`.split('\n')
    this.#rest = lines.pop() ?? ''
    return lines.filter((line) => line !== '')
  }

  close(): Promise<void> {
    return this.#file.close()
  }
}

async function openIfThere(path: string): Promise<LogReader | undefined> {
  try {
    const file = await openRegularFile(path)
    return new LogReader(file, (await file.stat()).ino)
  } catch (error) {
    if (reasonOf(error) === 'ENOENT') return undefined
    throw error
  }
}

async function inode(path: string): Promise<number | undefined> {
  return stat(path).then(
    ({ ino }) => ino,
    () => undefined,
  )
}
