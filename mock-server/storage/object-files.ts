import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive } from '../alive'
import { StorageError } from './storage-error'

const temporaryName = /^causeway-mock-objects-(\d+)-/

/** Removes what killed mocks have left behind, as far as it is ours to remove. */
function sweepTemporary(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = temporaryName.exec(name)?.[1]
    if (pid === undefined || isAlive(Number(pid))) continue
    try {
      rmSync(join(tmpdir(), name), { recursive: true, force: true })
    } catch {
      // It belongs to another user, whose next mock removes it.
    }
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

/**
 * The files of the object storage: in the data directory, or else in a temporary folder that ends with the mock. Each
 * upload gets a file of its own, which counts once a row names it: that takes the place of renaming a finished file.
 */
export class ObjectFiles {
  readonly #dataDir: string | undefined
  #directory: string | undefined

  constructor(dataDir: string | undefined) {
    this.#dataDir = dataDir
  }

  /**
   * Writes a body to a new file, byte for byte as it comes, and returns its MD5 as hex and its size. With a data
   * directory the bytes are on the disk when this returns. Rejects, having kept nothing, with a StorageError: 413 above
   * `mostBytes` (having read all of the body, so that the answer reaches its sender), 400 when the body breaks off, 507
   * when the disk is full.
   */
  async write(
    name: string,
    body: AsyncIterable<Buffer>,
    mostBytes: number,
  ): Promise<{ md5: string; size: number }> {
    const path = this.#pathOf(name)
    const file = await open(path, 'wx', 0o600)
    const hash = createHash('md5')
    let size = 0
    let isWhole = false
    try {
      for await (const chunk of readable(body)) {
        size += chunk.length
        if (size > mostBytes) continue
        hash.update(chunk)
        await file.appendFile(chunk)
      }
      if (size > mostBytes) throw tooLarge(mostBytes)
      if (this.#dataDir !== undefined) await file.sync()
      isWhole = true
    } catch (error) {
      throw hasCode(error, 'ENOSPC')
        ? new StorageError(507, 'InsufficientStorage', 'The disk of the storage is full.')
        : error
    } finally {
      await file.close()
      if (!isWhole) this.remove(name)
    }
    await this.#syncDirectory()
    return { md5: hash.digest('hex'), size }
  }

  /** Opens a file to read, or undefined when it is not there. */
  async read(name: string): Promise<Awaited<ReturnType<typeof open>> | undefined> {
    try {
      return await open(this.#pathOf(name), 'r')
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return undefined
      throw error
    }
  }

  remove(name: string): void {
    rmSync(this.#pathOf(name), { force: true })
  }

  /** Removes every file but these: others are uploads that a killed mock did not finish. */
  removeAllBut(names: ReadonlySet<string>): void {
    if (this.#dataDir === undefined && this.#directory === undefined) return
    for (const name of readdirSync(this.#open())) {
      if (!names.has(name)) this.remove(name)
    }
  }

  close(): void {
    if (this.#dataDir !== undefined || this.#directory === undefined) return
    rmSync(this.#directory, { recursive: true, force: true })
    this.#directory = undefined
  }

  #open(): string {
    if (this.#directory !== undefined) return this.#directory
    if (this.#dataDir === undefined) {
      sweepTemporary()
      this.#directory = mkdtempSync(join(tmpdir(), `causeway-mock-objects-${process.pid}-`))
    } else {
      this.#directory = join(this.#dataDir, 'objects')
      mkdirSync(this.#directory, { recursive: true, mode: 0o700 })
    }
    return this.#directory
  }

  #pathOf(name: string): string {
    return join(this.#open(), name)
  }

  /** Makes the name of a new file last too. Windows cannot, and does not need it. */
  async #syncDirectory(): Promise<void> {
    if (this.#dataDir === undefined || process.platform === 'win32') return
    const directory = await open(this.#open(), 'r')
    try {
      await directory.sync()
    } finally {
      await directory.close()
    }
  }
}

/** The refusal of a file that is larger than it may be. */
export function tooLarge(mostBytes: number): StorageError {
  return new StorageError(413, 'EntityTooLarge', `A file may have at most ${mostBytes} bytes.`)
}

async function* readable(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* body
  } catch {
    throw new StorageError(400, 'IncompleteBody', 'The connection broke before the whole file was here.')
  }
}
