import { mkdir, open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import writeFileAtomic from 'write-file-atomic'
import { z } from 'zod'
import { CausewayError } from '../../errors'
import { isDiskFull } from './disk-full'
import { readRegularFile } from './regular-file'
import { withFileLock } from './file-lock'
import { serial } from '../../serial'

/**
 * One small JSON document on disk, which several processes may share. Every method works on the file as it is now; what
 * changes it runs one after another, in whatever process, and throws `data/busy` where another one does not come to an end.
 */
export interface JsonFile<T> {
  /** Throws `data/unreadable`. */
  read(): Promise<T>
  /** Throws `data/unreadable` (the file is of a newer Causeway, and is kept) and `data/unwritable`. */
  write(value: T): Promise<void>
  /** Reads, changes and writes as one step, and returns what was written. Throws as `write` does. */
  update(change: (value: T) => T): Promise<T>
}

export interface JsonFileOptions<T> {
  readonly path: string
  readonly schema: z.ZodType<T>
  /** The format that is written. Older ones are read as far as they fit the schema; newer ones are not touched. */
  readonly version: number
  /** What a missing or damaged file stands for. */
  readonly empty: T
  readonly now: () => Date
  /** Told where a damaged file was moved to. */
  readonly onDamaged?: (movedTo: string) => void
  /**
   * On a full disk, a value that takes no more room than the one before is written over it, though a crash could then leave half
   * of it. For secrets: to remove one must need no room.
   */
  readonly shrinksInPlace?: true
}

const envelope = z.object({ version: z.int().positive(), data: z.unknown() })

/**
 * A file of the data directory, `{"version": 1, "data": …}` (INTERFACES, "Files"): written atomically, for the
 * owner alone (0600, its directory 0700). A file that is not JSON or has the wrong shape is renamed to
 * `<path>.corrupt-<time>` and reported, so that nothing of it is lost.
 */
export function createJsonFile<T>(options: JsonFileOptions<T>): JsonFile<T> {
  const { path, schema, version, empty } = options
  const inTurn = serial()

  const alone = <R>(work: () => Promise<R>): Promise<R> => withFileLock(path, work)

  /** What the file holds; undefined where it is damaged. */
  async function parse(): Promise<{ readonly value: T } | undefined> {
    const bytes = await readIfPresent(path)
    if (bytes === undefined) return { value: empty }
    const outer = envelope.safeParse(parseJson(bytes))
    if (outer.success && outer.data.version > version) throw newerVersion(path, outer.data.version)
    const inner = outer.success ? schema.safeParse(outer.data.data) : undefined
    return inner?.success === true ? { value: inner.data } : undefined
  }

  /** To be called alone. */
  async function repair(): Promise<T> {
    const parsed = await parse()
    if (parsed !== undefined) return parsed.value
    await setAside()
    return empty
  }

  async function load(): Promise<T> {
    // Reading waits for nobody, because a file is replaced in one step.
    const parsed = await parse()
    return parsed === undefined ? alone(repair) : parsed.value
  }

  async function setAside(): Promise<void> {
    const movedTo = `${path}.corrupt-${options.now().toISOString().replaceAll(':', '-')}`
    try {
      await rename(path, movedTo)
    } catch (cause) {
      throw unreadable(path, cause)
    }
    options.onDamaged?.(movedTo)
  }

  async function store(value: T): Promise<void> {
    const content = `${JSON.stringify({ version, data: value }, undefined, 2)}\n`
    try {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      await writeFileAtomic(path, content, { mode: 0o600 })
    } catch (cause) {
      const isDone =
        options.shrinksInPlace === true && isDiskFull(cause) && (await shrinkTo(content).catch(() => false))
      if (!isDone) throw unwritable(path, cause)
    }
  }

  /** False where this would take more room. */
  async function shrinkTo(content: string): Promise<boolean> {
    const bytes = Buffer.from(content)
    const handle = await open(path, 'r+')
    try {
      if (bytes.length > (await handle.stat()).size) return false
      await handle.writeFile(bytes)
      await handle.truncate(bytes.length)
      await handle.sync()
      return true
    } finally {
      await handle.close()
    }
  }

  async function change(by: (value: T) => T): Promise<T> {
    // Before there is a lock, so that what cannot be read is said as that.
    await parse()
    return alone(async () => {
      const value = by(await repair())
      await store(value)
      return value
    })
  }

  return {
    read: () => inTurn(load),
    // Loading first keeps a newer file whole and sets a damaged one aside before its place is taken.
    write: (value) =>
      inTurn(async () => {
        await change(() => value)
      }),
    update: (by) => inTurn(() => change(by)),
  }
}

async function readIfPresent(path: string): Promise<Buffer | undefined> {
  try {
    return await readRegularFile(path)
  } catch (cause) {
    if (reasonOf(cause) === 'ENOENT') return undefined
    throw unreadable(path, cause)
  }
}

/** The parsed JSON, or undefined, which no envelope is. */
function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}

function newerVersion(path: string, version: number): CausewayError {
  return new CausewayError(
    'data/unreadable',
    `The file ${path} was written by a newer version of Causeway. Update Causeway, or move the file away.`,
    { details: { path, version } },
  )
}

function unreadable(path: string, cause: unknown): CausewayError {
  return new CausewayError(
    'data/unreadable',
    `Causeway couldn't read ${path}. Check that it's a file and that you have permission to read it.`,
    { details: { path, reason: reasonOf(cause) }, cause },
  )
}

function unwritable(path: string, cause: unknown): CausewayError {
  return new CausewayError(
    'data/unwritable',
    `Causeway couldn't write ${path}. Check that there's enough disk space and that you have permission to write there.`,
    { details: { path, reason: reasonOf(cause) }, cause },
  )
}

/** The system's word for what went wrong, such as `EACCES`. */
function reasonOf(cause: unknown): string {
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : 'unknown'
}
