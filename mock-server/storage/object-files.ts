import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '../state/temporary-folder'
import { StorageError } from './storage-error'
import { codeOf } from '../errors'

/** The files of the object storage. Each upload goes to a new file, which becomes valid once a row names it. */
export class ObjectFiles {
  readonly #dataDir: string | undefined
  #directory: string | undefined
  #temporary: ReturnType<typeof temporaryFolder> | undefined

  constructor(dataDir: string | undefined) {
    this.#dataDir = dataDir
  }

  /** Writes a body to a new file; returns its MD5 in hex and its size. On failure it keeps nothing: StorageError 413, 400, 507. */
  async write(
    name: string,
    body: AsyncIterable<Buffer>,
    maxBytes: number,
  ): Promise<{ md5: string; size: number }> {
    const path = this.#pathOf(name)
    const file = await open(path, 'wx', 0o600)
    const hash = createHash('md5')
    let size = 0
    let isExact = false
    try {
      for await (const chunk of readable(body)) {
        size += chunk.length
        if (size > maxBytes) continue
        hash.update(chunk)
        await file.appendFile(chunk)
      }
      if (size > maxBytes) throw tooLarge(maxBytes)
      if (this.#dataDir !== undefined) await file.sync()
      isExact = true
    } catch (error) {
      throw codeOf(error) === 'ENOSPC'
        ? new StorageError(507, 'InsufficientStorage', 'The disk of the storage is full.')
        : error
    } finally {
      await file.close()
      if (!isExact) this.remove(name)
    }
    // Windows neither supports nor needs to write the directory entry of a new file to disk.
    if (this.#dataDir !== undefined && process.platform !== 'win32') {
      const directory = await open(this.#open(), 'r')
      try {
        await directory.sync()
      } finally {
        await directory.close()
      }
    }
    return { md5: hash.digest('hex'), size }
  }

  async read(name: string): Promise<Awaited<ReturnType<typeof open>> | undefined> {
    try {
      return await open(this.#pathOf(name), 'r')
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined
      throw error
    }
  }

  remove(name: string): void {
    rmSync(this.#pathOf(name), { force: true })
  }

  /** Deletes all other files, which are unfinished uploads of a killed mock. */
  removeAllBut(names: ReadonlySet<string>): void {
    if (this.#dataDir === undefined && this.#directory === undefined) return
    for (const name of readdirSync(this.#open())) {
      if (!names.has(name)) this.remove(name)
    }
  }

  close(): void {
    if (this.#temporary === undefined) return
    this.#temporary.remove()
    this.#temporary = this.#directory = undefined
  }

  #open(): string {
    if (this.#directory !== undefined) return this.#directory
    if (this.#dataDir === undefined) {
      this.#temporary = temporaryFolder('objects')
      this.#directory = this.#temporary.path
    } else {
      this.#directory = join(this.#dataDir, 'objects')
      mkdirSync(this.#directory, { recursive: true, mode: 0o700 })
    }
    return this.#directory
  }

  #pathOf(name: string): string {
    return join(this.#open(), name)
  }
}

export function tooLarge(maxBytes: number): StorageError {
  return new StorageError(413, 'EntityTooLarge', `A file may have at most ${maxBytes} bytes.`)
}

async function* readable(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* body
  } catch (error) {
    if (error instanceof StorageError) throw error
    throw new StorageError(400, 'IncompleteBody', 'The connection broke before the whole file was here.')
  }
}
