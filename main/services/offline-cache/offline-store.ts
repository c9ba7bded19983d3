import { CausewayError } from '../../errors'
import type { Reporter } from '../../reporter'
import { parseJson } from '../../json'
import { readdir, rm, stat } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { dirname, join } from 'node:path'
import writeFileAtomic from 'write-file-atomic'
import { z } from 'zod'
import { unwritable } from '../../platform/storage/data-errors'
import { reasonOf } from '../../platform/storage/file-system-error'
import { readRegularFile } from '../../platform/storage/regular-file'
import { serial } from '../../serial'
import { answerPath, answersFolder, isEndpointsPath } from './answer-path'
import { withoutSecrets } from './without-secrets'
import { makeFolder } from '../../platform/storage/make-folder'
import { whileAnswering } from '../../platform/storage/while-answering'

/** The last answers of the services of each instance, for use while they are unreachable. */
export interface OfflineStore {
  /**
   * Stores the JSON of an answer without its secrets. Ignores answers that are not JSON or too long, and with `unlessStored` one
   * that is there already, with its time. `since`: what `lastForget` returned before the request; nothing is stored if any process
   * has forgotten an instance since then.
   */
  remember(
    instanceId: string,
    name: string,
    json: string,
    options?: { readonly unlessStored?: boolean; readonly since?: Promise<string> },
  ): void
  /** Returns a text that changes whenever a process forgets an instance. Never rejects. */
  lastForget(): Promise<string>
  find(instanceId: string, name: string): Promise<StoredAnswer | undefined>
  /**
   * Forgets one answer or all answers of an instance, including those still being written. Throws `data/unwritable` and
   * `data/not-responding`.
   */
  forget(instanceId: string, name?: string): Promise<void>
  /** Number of times that the instance was forgotten: answers requested before must not be stored. */
  generation(instanceId: string): number
  /** Resolves when all answers are written. */
  written(): Promise<void>
}

interface StoredAnswer {
  readonly json: string
  /** Time of the answer, in milliseconds since the epoch. */
  readonly cachedAt: number
}

export interface OfflineStoreOptions {
  /** Absolute path; created when needed. */
  readonly folder: string
  readonly now: () => Date
  /** Receives errors of writing and reading, which don't fail the caller. */
  readonly reporter: Pick<Reporter, 'failure'>
  /** Called once with the function that forgets an instance. */
  readonly registerForget: (forget: (instanceId: string) => Promise<void>) => void
  /** Per answer, in characters of JSON; default 2 Mi. */
  readonly maxLength?: number
  /** In total; default 400. */
  readonly maxEntries?: number
  /** In total; default 40 MiB. */
  readonly maxBytes?: number
}

const entry = z.object({ version: z.literal(1), cachedAt: z.number(), json: z.string() })

/** Number of writes between two cleanups. */
const writesBetween = 20

/**
 * Creates a store of one file per answer, in one directory per instance, for the owner alone (files 0600, directories
 * 0700). Writes atomically, because the app and the terminal command share the files. Deletes damaged files, which are only
 * copies.
 */
export function createOfflineStore(options: OfflineStoreOptions): OfflineStore {
  const {
    folder,
    now,
    reporter,
    registerForget,
    maxLength = 2 ** 21,
    maxEntries = 400,
    maxBytes = 40 * 2 ** 20,
  } = options
  const onFailed = (error: unknown): void => {
    reporter.failure('not-kept', error)
  }
  const generations = new Map<string, number>()
  let writes = 0

  const generation = (instanceId: string): number => generations.get(instanceId) ?? 0
  const folderOf = (instanceId: string): string => answersFolder(folder, instanceId)
  const mark = join(dirname(folder), 'last-forget')
  const pathOf = (instanceId: string, name: string): string => answerPath(folder, instanceId, name)

  /** Serializes writing and forgetting, so that nothing forgotten is written afterwards. */
  const inTurn = serial()

  async function write(instanceId: string, name: string, kept: StoredAnswer): Promise<void> {
    await makeFolder(folderOf(instanceId))
    await writeFileAtomic(pathOf(instanceId, name), JSON.stringify({ version: 1, ...kept }), {
      mode: 0o600,
      fsync: false,
    })
    writes += 1
    if (writes % writesBetween === 1) await removeOldest(folder, maxEntries, maxBytes)
  }

  async function find(instanceId: string, name: string): Promise<StoredAnswer | undefined> {
    const path = pathOf(instanceId, name)
    let text: string
    try {
      text = (await whileAnswering(path, () => readRegularFile(path))).toString('utf8')
    } catch (error) {
      if (reasonOf(error) !== 'ENOENT') onFailed(error)
      return undefined
    }
    const parsed = entry.safeParse(parseJson(text))
    if (parsed.success) return parsed.data
    await rm(path, { force: true }).catch(onFailed)
    return undefined
  }

  async function forget(instanceId: string, name?: string): Promise<void> {
    if (name === undefined) {
      generations.set(instanceId, generation(instanceId) + 1)
      // First: what another process stores from now on belongs to whoever comes next.
      await noteForget(mark).catch(onFailed)
    }
    const path = name === undefined ? folderOf(instanceId) : pathOf(instanceId, name)
    const remove = () => inTurn(() => rm(path, { recursive: true, force: true, maxRetries: 3 }))
    await whileAnswering(path, remove).catch((cause: unknown) => {
      throw cause instanceof CausewayError ? cause : unwritable(path, cause)
    })
  }
  registerForget(forget)

  return {
    generation,
    lastForget: () => textOf(mark),
    remember: (instanceId, name, json, { unlessStored = false, since } = {}) => {
      const stored = json.length > maxLength ? undefined : withoutSecrets(json)
      if (stored === undefined) return
      const cachedAt = now().getTime()
      const path = pathOf(instanceId, name)
      const keep = async (): Promise<void> => {
        if (since !== undefined && (await since) !== (await textOf(mark))) return
        if (unlessStored && (await find(instanceId, name))?.json === stored) return
        await whileAnswering(path, () => write(instanceId, name, { json: stored, cachedAt }))
      }
      inTurn(keep).catch(onFailed)
    },
    find,
    forget,
    written: () => inTurn(() => undefined),
  }
}

/** Changes the text of a small file. */
async function noteForget(path: string): Promise<void> {
  await makeFolder(dirname(path))
  await whileAnswering(path, () => writeFileAtomic(path, randomUUID(), { mode: 0o600, fsync: false }))
}

/** Returns the text of a small file; an empty one if it can't be read. */
async function textOf(path: string): Promise<string> {
  try {
    return (await whileAnswering(path, () => readRegularFile(path))).toString('utf8')
  } catch {
    return ''
  }
}

/** Removes the oldest answers above the limits, and endpoints only after all answers. */
async function removeOldest(folder: string, maxEntries: number, maxBytes: number): Promise<void> {
  let entries = 0
  let bytes = 0
  for (const { path, size } of await lastRemovedFirst(folder)) {
    entries += 1
    bytes += size
    if (entries > maxEntries || bytes > maxBytes) await rm(path, { force: true })
  }
}

interface StoredFile {
  readonly path: string
  readonly size: number
  readonly mtimeMs: number
}

async function lastRemovedFirst(folder: string): Promise<StoredFile[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = await Promise.all(
    found.filter((each) => each.isFile()).map((each) => fileAt(join(each.parentPath, each.name))),
  )
  const rank = ({ path }: StoredFile) => (isEndpointsPath(path) ? 1 : 0)
  return files.flat().sort((a, b) => rank(b) - rank(a) || b.mtimeMs - a.mtimeMs)
}

/** Returns nothing for a file that another process has just removed. */
async function fileAt(path: string): Promise<StoredFile[]> {
  try {
    const { size, mtimeMs } = await stat(path)
    return [{ path, size, mtimeMs }]
  } catch (error) {
    if (reasonOf(error) === 'ENOENT') return []
    throw error
  }
}
