import { rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { appendRegularFile } from '../storage/regular-file'
import { whileAnswering } from '../storage/while-answering'
import { replaceWhileInUse } from '../storage/while-in-use'
import { makeFolder } from '../storage/make-folder'

interface LogFileOptions {
  /** Absolute path; created if missing. */
  readonly folder: string
  /** Maximum size of a file before it is rotated; default 1 MiB. */
  readonly maxBytes?: number
  /** Number of files, including the current one; default 5. */
  readonly files?: number
  /** Returns the line that replaces lines that could not be written. */
  readonly lostLines: (count: number) => string
}

/** Maximum number of lines that wait for the disk. */
const maxWaiting = 10_000

/** Returns the path of the current file. */
export function logPath(folder: string): string {
  return join(folder, 'causeway.log')
}

/** Returns the paths of all files, oldest first. */
export function logPaths(folder: string, files = 5): string[] {
  const current = logPath(folder)
  return [...Array.from({ length: files - 1 }, (_, index) => `${current}.${files - 1 - index}`), current]
}

/**
 * Writes lines to a file for its owner alone, in order, in the background. The window and terminal commands append to the
 * same file, so its size is read before each write. Never throws: lines that cannot be written are counted, and reported as
 * soon as writing works again.
 */
export class LogFile {
  readonly #options: Required<LogFileOptions>
  #waiting: string[] = []
  #lost = 0
  #writing: Promise<void> | undefined

  constructor(options: LogFileOptions) {
    this.#options = { maxBytes: 1024 * 1024, files: 5, ...options }
  }

  append(line: string): void {
    if (this.#waiting.length >= maxWaiting) this.#lost += 1
    else this.#waiting.push(line)
    this.#writing ??= this.#write()
  }

  /** Resolves when all lines are written, or counted as lost. */
  async flush(): Promise<void> {
    while (this.#writing !== undefined) await this.#writing
  }

  async #write(): Promise<void> {
    while (this.#waiting.length > 0) {
      const lines = this.#waiting.splice(0, 200)
      const lost = this.#lost
      const all = lost === 0 ? lines : [this.#options.lostLines(lost), ...lines]
      try {
        await whileAnswering(logPath(this.#options.folder), () => this.#store(`${all.join('\n')}\n`))
        this.#lost -= lost
      } catch {
        // The next line that can be written reports them; there is no other place to report them.
        this.#lost += lines.length
      }
    }
    this.#writing = undefined
  }

  async #store(text: string): Promise<void> {
    const { folder, maxBytes } = this.#options
    await makeFolder(folder)
    const path = logPath(folder)
    const size = await stat(path).then(
      (found) => found.size,
      () => 0,
    )
    if (size > 0 && size + Buffer.byteLength(text) > maxBytes) await this.#rotate()
    await appendRegularFile(path, text)
  }

  async #rotate(): Promise<void> {
    const paths = logPaths(this.#options.folder, this.#options.files)
    await rm(paths[0] ?? '', { force: true })
    for (const [index, path] of paths.entries()) {
      const older = paths[index - 1]
      if (older !== undefined) await replaceWhileInUse(() => rename(path, older)).catch(ignoreMissing)
    }
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}
