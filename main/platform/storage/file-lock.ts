import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { type FileHandle, open, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { CausewayError } from '../../errors'
import { unwritable } from './data-errors'
import { isDiskFull, reasonOf } from './file-system-error'
import { readRegularFile } from './regular-file'
import { whileAnswering } from './while-answering'
import { replaceWhileInUse } from './while-in-use'
import { makeFolder } from './make-folder'

export interface FileLockOptions {
  /** Time limit for waiting for another process, in milliseconds; default 10 000. */
  readonly waitMs?: number
  /** Age at which a lock is taken over from a process that lives, in milliseconds; default 30 000. */
  readonly staleMs?: number
  /** Interval of checking the lock, in milliseconds; default 2 to 12. */
  readonly everyMs?: number
  /** Called once if another process holds the lock. */
  readonly onBusy?: () => void
  /** Aborts the waiting. */
  readonly signal?: AbortSignal
}

const holderSchema = z.object({ pid: z.int().positive(), token: z.string() })

/** Such a file is created and written at once, so one of this age was left by a crash. */
const leftBehindMs = 5000

/**
 * Runs the work while no other process runs work on the same path. The lock is the file `<path>.lock`, which only one
 * process can create, and which is taken over when its process is gone. Calls in the same process exclude each other too.
 *
 * Throws `data/busy` when another process holds the lock longer than `waitMs`, `data/unwritable` when the file cannot be
 * created, `data/not-responding` when its disk gives no answer, an `AbortError` when the signal aborts before the work starts, and the errors of the work.
 */
export async function withFileLock<T>(
  path: string,
  work: () => Promise<T>,
  { waitMs = 10_000, staleMs = 30_000, everyMs, onBusy, signal }: FileLockOptions = {},
): Promise<T> {
  const lock = `${path}.lock`
  const content = JSON.stringify({ pid: process.pid, token: randomUUID() })
  const answered = <R>(step: () => Promise<R>): Promise<R> => whileAnswering(path, step)
  await answered(() => makeDirectory(path))
  const giveUpAt = performance.now() + waitMs
  const isLeft = leftByLiving(staleMs, waitMs)
  let held: string | undefined
  let isReported = false
  while ((held = await answered(() => create(lock, content, path))) === undefined) {
    await answered(() => takeAbandoned(lock, isLeft, path))
    if (performance.now() > giveUpAt) throw busy(path, (await answered(() => holderOf(lock)))?.pid)
    if (!isReported) onBusy?.()
    isReported = true
    await delay(everyMs ?? 2 + Math.random() * 10, undefined, { signal })
  }
  try {
    return await work()
  } finally {
    // If another process took the lock over because the work took too long, it is not ours to remove.
    await answered(() =>
      replaceWhileInUse(async () => {
        if ((await contentOf(lock)) === held) await rm(lock, { force: true })
      }),
    )
  }
}

/**
 * Creates a lock file and returns its content, or undefined if it exists. On a full disk the file is empty, so that secrets
 * can still be removed.
 */
async function create(lock: string, content: string, path: string): Promise<string | undefined> {
  let file: FileHandle
  try {
    file = await open(lock, 'wx', 0o600)
  } catch (cause) {
    const reason = reasonOf(cause)
    // Windows reports EPERM or EBUSY for a file that is being removed.
    if (reason === 'EEXIST' || (process.platform === 'win32' && ['EPERM', 'EBUSY'].includes(reason)))
      return undefined
    throw unwritable(path, cause)
  }
  try {
    await file.writeFile(content)
    return content
  } catch (cause) {
    if (isDiskFull(cause)) return ''
    await rm(lock, { force: true })
    throw unwritable(path, cause)
  } finally {
    await file.close()
  }
}

/** Whether a lock with this token and age, in milliseconds, was left by a process that lives, or whose id another one has now. */
type LeftByLiving = (token: string, age: number) => boolean

/**
 * Returns how one caller, who waits for `waitMs`, decides that a lock was left. An age alone says nothing: the clock may just have
 * been set.
 */
function leftByLiving(staleMs: number, waitMs: number): LeftByLiving {
  const watchMs = Math.min(staleMs, waitMs / 2)
  let watched: { readonly token: string; readonly since: number } | undefined
  return (token, age) => {
    if (watched?.token !== token) watched = { token, since: performance.now() }
    return age > staleMs && performance.now() - watched.since >= watchMs
  }
}

async function isAbandoned(lock: string, isLeft: LeftByLiving): Promise<boolean> {
  const age = await ageOf(lock)
  if (age === undefined) return false
  const holder = await holderOf(lock)
  if (holder === undefined) return age > leftBehindMs
  return !isRunning(holder.pid) || isLeft(holder.token, age)
}

/**
 * Removes a lock if it is abandoned. A second file ensures that two processes that found it abandoned do not remove each other's
 * new lock; nobody waits for that file.
 */
async function takeAbandoned(lock: string, isLeft: LeftByLiving, path: string): Promise<void> {
  if (!(await isAbandoned(lock, isLeft))) return
  const guard = `${lock}.taking`
  if ((await create(guard, '', path)) === undefined) {
    if (((await ageOf(guard)) ?? 0) > leftBehindMs) await rm(guard, { force: true })
    return
  }
  try {
    if (await isAbandoned(lock, isLeft)) await rm(lock, { force: true })
  } catch (cause) {
    throw unwritable(path, cause)
  } finally {
    await rm(guard, { force: true })
  }
}

/** Returns the age in milliseconds; undefined if the file does not exist. */
async function ageOf(file: string): Promise<number | undefined> {
  try {
    return Math.abs(Date.now() - (await stat(file)).mtimeMs)
  } catch (error) {
    if (reasonOf(error) === 'ENOENT') return undefined
    throw error
  }
}

async function holderOf(lock: string): Promise<z.infer<typeof holderSchema> | undefined> {
  try {
    return holderSchema.parse(JSON.parse((await contentOf(lock)) ?? ''))
  } catch {
    // Removed meanwhile, not written yet, or cut short by a crash.
    return undefined
  }
}

async function contentOf(lock: string): Promise<string | undefined> {
  try {
    return (await readRegularFile(lock)).toString('utf8')
  } catch {
    return undefined
  }
}

/**
 * Returns true if a process with this id exists, of any user, and hasn't ended. One that nobody waits for, as in a
 * container without an init, keeps its id for ever.
 */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // Otherwise the process of another user.
    if (reasonOf(error) !== 'EPERM') return false
  }
  try {
    // The state is behind the name in brackets, which may contain any character.
    return !/\) [ZX][^)]*$/.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    // Only Linux tells the state in a file.
    return true
  }
}

async function makeDirectory(path: string): Promise<void> {
  try {
    await makeFolder(dirname(path))
  } catch (cause) {
    throw unwritable(path, cause)
  }
}

function busy(path: string, pid: number | undefined): CausewayError {
  return new CausewayError('data/busy', { details: { path, pid } })
}
