import { copyFile, open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import writeFileAtomic from 'write-file-atomic'
import { z } from 'zod'
import { CausewayError, report } from '../../errors'
import type { Reporter } from '../../reporter'
import { readIfPresent, unreadable, unwritable } from './data-errors'
import { isDiskFull } from './file-system-error'
import { withFileLock } from './file-lock'
import { whileAnswering } from './while-answering'
import { serial } from '../../serial'
import { replaceWhileInUse } from './while-in-use'
import { makeFolder } from './make-folder'

/**
 * A small JSON document on disk, which several processes may share. Every method reads the current file; changes run in
 * sequence across processes, and throw `data/busy` if another one does not finish. All methods also throw `data/not-responding`.
 */
export interface JsonFile<T> {
  /** Throws `data/unreadable`. */
  read(): Promise<T>
  /** Returns the value without repairing or reporting a damaged file; undefined if it can't be read. */
  peek(): Promise<T | undefined>
  /** Throws `data/unreadable` (for a file of a newer Causeway, which is kept) and `data/unwritable`. */
  write(value: T): Promise<void>
  /** Reads, changes and writes in one step, and returns the written value. Throws the same errors as `write`. */
  update(change: (value: T) => T): Promise<T>
}

/** Parameters for a module that keeps a file in the data directory. */
export interface StoredOptions {
  readonly dataDirectory: string
  readonly now: () => Date
  readonly reporter?: Reporter
}

/** Called once with the function that forgets an instance. */
export type RegisterForget = (forget: (instanceId: string) => Promise<void>) => void

export interface JsonFileOptions<T> {
  readonly path: string
  readonly schema: z.ZodType<T>
  /** The format version. Files of a newer one are not changed. */
  readonly version: number
  /** The value of a missing or damaged file. */
  readonly empty: T
  readonly now: () => Date
  /** Receives the error of a damaged file. */
  readonly reporter?: Pick<Reporter, 'notice'>
  /**
   * On a full disk, overwrites the file in place if the new value is not longer, although a crash could then damage it. For
   * secrets, so that removing one needs no space.
   */
  readonly shrinksInPlace?: true
}

const envelope = z.object({ version: z.int().positive(), data: z.unknown() })

/**
 * Creates a JSON file, `{"version": 1, "data": …}`: written atomically, for the owner alone (0600, its directory 0700). A
 * file that is not JSON or does not match the schema is kept as `<path>.corrupt-<time>` and reported, so that nothing is
 * lost. The parts of it that match are kept: one wrong value must not turn off what another one protects.
 */
export function createJsonFile<T>(options: JsonFileOptions<T>): JsonFile<T> {
  const { path, schema, version, empty } = options
  const inTurn = serial()

  const alone = <R>(work: () => Promise<R>): Promise<R> => withFileLock(path, work)

  /** Returns the content of the file; of a damaged one, what can be used of it. */
  async function parse(): Promise<{ readonly value: T; readonly isDamaged?: true }> {
    const bytes = await readIfPresent(path)
    if (bytes === undefined) return { value: empty }
    const outer = envelope.safeParse(parseJson(bytes))
    if (outer.success && outer.data.version > version) {
      const details = { path, version: outer.data.version }
      throw new CausewayError('data/unreadable', { variant: 'newer-version', details })
    }
    if (!outer.success || outer.data.version !== version) return { value: empty, isDamaged: true }
    const { data } = outer.data
    const value = schema.safeParse(data).data
    return value === undefined ? { value: usableParts(schema, empty, data), isDamaged: true } : { value }
  }

  /** Returns the value, after setting a damaged file aside and writing what can be used of it. Requires the lock. */
  async function repair(): Promise<T> {
    const { value, isDamaged } = await parse()
    if (isDamaged !== true) return value
    const movedTo = `${path}.corrupt-${options.now().toISOString().replaceAll(':', '-')}`
    const isUsable = !isDeepStrictEqual(value, empty)
    // A copy, if there is something to write: the new file gets the owner of the old one, also from root.
    await (isUsable ? copyFile(path, movedTo) : replaceWhileInUse(() => rename(path, movedTo))).catch(
      (cause: unknown) => {
        throw unreadable(path, cause)
      },
    )
    if (isUsable) await store(value)
    options.reporter?.notice(report('data/damaged', { details: { movedTo } }))
    return value
  }

  async function load(): Promise<T> {
    // Reading needs no lock, because a file is replaced in one step.
    const { value, isDamaged } = await parse()
    return isDamaged === true ? alone(repair) : value
  }

  async function store(value: T): Promise<void> {
    const content = `${JSON.stringify({ version, data: value }, undefined, 2)}\n`
    try {
      await makeFolder(dirname(path))
      await replaceWhileInUse(() => writeFileAtomic(path, content, { mode: 0o600 }))
    } catch (cause) {
      const isDone =
        options.shrinksInPlace === true && isDiskFull(cause) && (await shrinkTo(content).catch(() => false))
      if (!isDone) throw unwritable(path, cause)
    }
  }

  /** Returns false if the new content is longer. */
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
    // Before the lock, so that an unreadable file is reported as such.
    await parse()
    return alone(async () => {
      const value = by(await repair())
      await store(value)
      return value
    })
  }

  const answered = <R>(work: () => Promise<R>): Promise<R> => whileAnswering(path, work)

  return {
    read: () => answered(() => inTurn(load)),
    peek: async () => (await answered(parse).catch(() => undefined))?.value,
    // Loading first protects a newer file, and moves a damaged one away before it is replaced.
    write: (value) =>
      answered(() =>
        inTurn(async () => {
          await change(() => value)
        }),
      ),
    update: (by) => answered(() => inTurn(() => change(by))),
  }
}

/**
 * Returns the elements of a list that the schema accepts, or the empty value with each such entry of the data, and of a list in it
 * each such element.
 */
function usableParts<T>(schema: z.ZodType<T>, empty: T, data: unknown): T {
  if (Array.isArray(data))
    return schema.safeParse(data.filter((each) => schema.safeParse([each]).success)).data ?? empty
  const { data: entries } = z.record(z.string(), z.unknown()).safeParse(data)
  if (entries === undefined) return empty
  const withEntry = (value: T, name: string, entry: unknown): T | undefined =>
    schema.safeParse({ ...value, [name]: entry }).data
  let value = empty
  for (const [name, entry] of Object.entries(entries)) {
    const usable = Array.isArray(entry)
      ? entry.filter((element) => withEntry(empty, name, [element]) !== undefined)
      : entry
    value = withEntry(value, name, usable) ?? value
  }
  return value
}

/** Returns the parsed JSON, or undefined, which is never a valid envelope. */
function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}
