import { createHash } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import writeFileAtomic from 'write-file-atomic'
import { z } from 'zod'
import { readRegularFile } from '../../platform/storage/regular-file'
import { serial } from '../../serial'
import { withoutSecrets } from './without-secrets'

/** What the services of an instance answered last, for when they cannot be asked. */
export interface OfflineStore {
  /** Keeps the JSON of an answer under a name, without what is secret in it. What is no JSON or too long is not kept. */
  remember(instanceId: string, name: string, json: string): void
  recall(instanceId: string, name: string): Promise<Recalled | undefined>
  /** Forgets what is under a name, or all of an instance; also what is on its way to be remembered. */
  forget(instanceId: string, name?: string): Promise<void>
  /** How often the instance was forgotten: an answer that was asked for before that is none to keep. */
  generation(instanceId: string): number
  /** Resolves when everything that was remembered is written. */
  written(): Promise<void>
}

export interface Recalled {
  readonly json: string
  /** When it was remembered, in milliseconds since the epoch. */
  readonly seenAt: number
}

export interface SeenStoreOptions {
  /** Absolute; made when needed. */
  readonly folder: string
  readonly now: () => Date
  /** Told what could not be kept, which is no reason for the caller to fail. */
  readonly onFailed: (error: unknown) => void
  /** Called once with what forgets an instance here. */
  readonly registerForget: (forget: (instanceId: string) => Promise<void>) => void
  /** Of one answer, in characters of its JSON; default 2 Mi. */
  readonly maxLength?: number
  /** Of all together; default 400. */
  readonly maxEntries?: number
  /** Of all together; default 40 MiB. */
  readonly maxBytes?: number
}

const entry = z.object({ version: z.literal(1), seenAt: z.number(), json: z.string() })

/** How many are written before the oldest are cleared away again. */
const writesBetween = 20

/**
 * One file an answer, for the owner alone (0600, directories 0700), in a directory an instance. Written atomically, so
 * that the app and the terminal command can share them. One that is damaged is dropped: it is a copy.
 */
export function createSeenStore(options: SeenStoreOptions): OfflineStore {
  const {
    folder,
    now,
    onFailed,
    registerForget,
    maxLength = 2 ** 21,
    maxEntries = 400,
    maxBytes = 40 * 2 ** 20,
  } = options
  const generations = new Map<string, number>()
  let writes = 0

  const generation = (instanceId: string): number => generations.get(instanceId) ?? 0
  const folderOf = (instanceId: string): string => join(folder, hashed(instanceId))
  const pathOf = (instanceId: string, name: string): string =>
    join(folderOf(instanceId), `${hashed(name)}.json`)

  /** One after another, so that what is forgotten is not written afterwards. */
  const inTurn = serial()

  async function write(instanceId: string, name: string, kept: Recalled): Promise<void> {
    await mkdir(folderOf(instanceId), { recursive: true, mode: 0o700 })
    await writeFileAtomic(pathOf(instanceId, name), JSON.stringify({ version: 1, ...kept }), {
      mode: 0o600,
      fsync: false,
    })
    writes += 1
    if (writes % writesBetween === 1) await clear()
  }

  /** Removes the oldest of those that are too many. */
  async function clear(): Promise<void> {
    let entries = 0
    let bytes = 0
    for (const { path, size } of await newestFirst(folder)) {
      entries += 1
      bytes += size
      if (entries > maxEntries || bytes > maxBytes) await rm(path, { force: true })
    }
  }

  function forget(instanceId: string, name?: string): Promise<void> {
    if (name === undefined) generations.set(instanceId, generation(instanceId) + 1)
    const path = name === undefined ? folderOf(instanceId) : pathOf(instanceId, name)
    return inTurn(() => rm(path, { recursive: true, force: true }))
  }
  registerForget(forget)

  return {
    generation,
    remember: (instanceId, name, json) => {
      const kept = json.length > maxLength ? undefined : withoutSecrets(json)
      if (kept === undefined) return
      const seenAt = now().getTime()
      inTurn(() => write(instanceId, name, { json: kept, seenAt })).catch(onFailed)
    },
    recall: async (instanceId, name) => {
      const path = pathOf(instanceId, name)
      let text: string
      try {
        text = (await readRegularFile(path)).toString('utf8')
      } catch (error) {
        if (!isMissing(error)) onFailed(error)
        return undefined
      }
      const parsed = entry.safeParse(parseJson(text))
      if (parsed.success) return parsed.data
      await rm(path, { force: true }).catch(onFailed)
      return undefined
    },
    forget,
    written: () => inTurn(() => undefined),
  }
}

/** A name may hold what no file name takes, and what is nobody else's business. */
function hashed(name: string): string {
  return createHash('sha256').update(name).digest('hex')
}

interface StoredFile {
  readonly path: string
  readonly size: number
  readonly mtimeMs: number
}

async function newestFirst(folder: string): Promise<StoredFile[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = await Promise.all(
    found.filter((each) => each.isFile()).map((each) => fileAt(join(each.parentPath, each.name))),
  )
  return files.flat().sort((a, b) => b.mtimeMs - a.mtimeMs)
}

/** None where another process has just removed it. */
async function fileAt(path: string): Promise<StoredFile[]> {
  try {
    const { size, mtimeMs } = await stat(path)
    return [{ path, size, mtimeMs }]
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
