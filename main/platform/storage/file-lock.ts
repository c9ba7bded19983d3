import { randomUUID } from 'node:crypto'
import { closeSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { CausewayError } from '../../errors'
import { isDiskFull, reasonOf } from './file-system-error'
import { readRegularFileSync } from './regular-file'
import { replaceWhileInUse } from './while-in-use'
import { makeFolderSync } from './make-folder'

export interface FileLockOptions {
  /** Time limit for waiting for another process, in milliseconds; default 10 000. */
  readonly waitMs?: number
  /** Age at which a lock is taken over from any holder, in milliseconds; default 30 000. */
  readonly staleMs?: number
  /** Interval of checking the lock, in milliseconds; default 2 to 12. */
  readonly everyMs?: number
  /** Called once if another process holds the lock. */
  readonly onBusy?: () => void
  /** Aborts the waiting. */
  readonly signal?: AbortSignal
}

const holderSchema = z.object({ pid: z.int().positive(), token: z.string() })

/** Such a file is created and removed in one step, so one of this age was left by a crash. */
const leftBehindMs = 2000

/**
 * Runs the work while no other process runs work on the same path. The lock is the file `<path>.lock`, which only one
 * process can create, and which is taken over when its process is gone. Calls in the same process exclude each other too.
 *
 * Throws `data/busy` when another process holds the lock longer than `waitMs`, `data/unwritable` when the file cannot be
 * created, an `AbortError` when the signal aborts before the work starts, and the errors of the work.
 */
export async function withFileLock<T>(
  path: string,
  work: () => Promise<T>,
  { waitMs = 10_000, staleMs = 30_000, everyMs, onBusy, signal }: FileLockOptions = {},
): Promise<T> {
  const lock = `${path}.lock`
  const content = JSON.stringify({ pid: process.pid, token: randomUUID() })
  makeDirectory(path)
  const giveUpAt = performance.now() + waitMs
  let held: string | undefined
  let isReported = false
  while ((held = create(lock, content, path)) === undefined) {
    if (isAbandoned(lock, staleMs)) takeAway(lock, staleMs, path)
    if (performance.now() > giveUpAt) throw busy(path, holderOf(lock)?.pid)
    if (!isReported) onBusy?.()
    isReported = true
    await delay(everyMs ?? 2 + Math.random() * 10, undefined, { signal })
  }
  try {
    return await work()
  } finally {
    // If another process took the lock over because the work took too long, it is not ours to remove.
    await replaceWhileInUse(() => {
      if (contentOf(lock) === held) rmSync(lock, { force: true })
    })
  }
}

/**
 * Creates a lock file and returns its content, or undefined if it exists. On a full disk the file is empty, so that secrets
 * can still be removed. Synchronous, so that no other work of this process interferes.
 */
function create(lock: string, content: string, path: string): string | undefined {
  let file: number
  try {
    file = openSync(lock, 'wx', 0o600)
  } catch (cause) {
    const reason = reasonOf(cause)
    // Windows reports EPERM or EBUSY for a file that is being removed.
    if (reason === 'EEXIST' || (process.platform === 'win32' && ['EPERM', 'EBUSY'].includes(reason)))
      return undefined
    throw unwritable(path, cause)
  }
  try {
    writeSync(file, content)
    return content
  } catch (cause) {
    if (isDiskFull(cause)) return ''
    rmSync(lock, { force: true })
    throw unwritable(path, cause)
  } finally {
    closeSync(file)
  }
}

function isAbandoned(lock: string, staleMs: number): boolean {
  const age = ageOf(lock)
  if (age === undefined) return false
  const holder = holderOf(lock)
  if (holder === undefined) return age > leftBehindMs
  return age > staleMs || !isRunning(holder.pid)
}

/**
 * Removes an abandoned lock. A second file ensures that two processes that found it abandoned do not remove each other's
 * new lock; nobody waits for that file.
 */
function takeAway(lock: string, staleMs: number, path: string): void {
  const guard = `${lock}.taking`
  if (create(guard, '', path) === undefined) {
    if ((ageOf(guard) ?? 0) > leftBehindMs) rmSync(guard, { force: true })
    return
  }
  try {
    if (isAbandoned(lock, staleMs)) rmSync(lock, { force: true })
  } catch (cause) {
    throw unwritable(path, cause)
  } finally {
    rmSync(guard, { force: true })
  }
}

/** Returns the age in milliseconds; undefined if the file does not exist. */
function ageOf(file: string): number | undefined {
  const { mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? {}
  return mtimeMs === undefined ? undefined : Math.abs(Date.now() - mtimeMs)
}

function holderOf(lock: string): z.infer<typeof holderSchema> | undefined {
  try {
    return holderSchema.parse(JSON.parse(contentOf(lock) ?? ''))
  } catch {
    // Removed meanwhile, not written yet, or cut short by a crash.
    return undefined
  }
}

function contentOf(lock: string): string | undefined {
  try {
    return readRegularFileSync(lock)
  } catch {
    return undefined
  }
}

/** Returns true if a process with this id exists, of any user. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // The process of another user.
    return reasonOf(error) === 'EPERM'
  }
}

function makeDirectory(path: string): void {
  try {
    makeFolderSync(dirname(path))
  } catch (cause) {
    throw unwritable(path, cause)
  }
}

function busy(path: string, pid: number | undefined): CausewayError {
  return new CausewayError('data/busy', { details: { path, pid } })
}

function unwritable(path: string, cause: unknown): CausewayError {
  return new CausewayError('data/unwritable', { details: { path, reason: reasonOf(cause) }, cause })
}
