import { randomUUID } from 'node:crypto'
import { closeSync, mkdirSync, openSync, rmSync, statSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { CausewayError } from '../../errors'
import { isDiskFull } from './disk-full'
import { readRegularFileSync } from './regular-file'

export interface FileLockOptions {
  /** How long to wait for another process, in milliseconds; default 10 000. */
  readonly waitMs?: number
  /** A lock older than this is given up, whoever holds it, in milliseconds; default 30 000. */
  readonly staleMs?: number
  /** How often to look whether it is free, in milliseconds; default 2 to 12. */
  readonly everyMs?: number
  /** Told once, where another has the lock. */
  readonly onBusy?: () => void
  /** Ends the waiting. */
  readonly signal?: AbortSignal
}

const holderSchema = z.object({ pid: z.int().positive(), token: z.string() })

/** A file that is only created and deleted within one step, so that one of this age was left by a crash. */
const leftBehindMs = 2000

/**
 * Runs the work while no other process runs work on the same path: beside it is `<path>.lock`, which only one can
 * create, and which is taken over when its process is gone. Within a process, each call counts as another.
 *
 * Throws `data/busy` when another keeps it longer than `waitMs`, `data/unwritable` when the file cannot be made, an
 * `AbortError` when the signal aborts before the work has begun, and what the work throws.
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
  let told = false
  while ((held = create(lock, content, path)) === undefined) {
    if (isAbandoned(lock, staleMs)) takeAway(lock, staleMs, path)
    if (performance.now() > giveUpAt) throw busy(path, holderOf(lock)?.pid)
    if (!told) onBusy?.()
    told = true
    await delay(everyMs ?? 2 + Math.random() * 10, undefined, signal === undefined ? {} : { signal })
  }
  try {
    return await work()
  } finally {
    // Where this took so long that another has taken the lock over, it is not ours to remove.
    if (contentOf(lock) === held) rmSync(lock, { force: true })
  }
}

/**
 * Returns what is in the file, or undefined where it is there already. On a full disk it is an empty one, so that secrets can
 * be removed. Synchronous, so that no other work of this process comes in between.
 */
function create(lock: string, content: string, path: string): string | undefined {
  let file: number
  try {
    file = openSync(lock, 'wx', 0o600)
  } catch (cause) {
    const reason = reasonOf(cause)
    // Windows says EPERM or EBUSY of a file that is just being removed.
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
 * Removes an abandoned lock. A second file makes sure that two who found it abandoned do not remove each other's new
 * one; nothing waits while it is there.
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

/** In milliseconds; undefined where there is no such file. */
function ageOf(file: string): number | undefined {
  const { mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? {}
  return mtimeMs === undefined ? undefined : Math.abs(Date.now() - mtimeMs)
}

function holderOf(lock: string): z.infer<typeof holderSchema> | undefined {
  try {
    return holderSchema.parse(JSON.parse(contentOf(lock) ?? ''))
  } catch {
    // Gone meanwhile, not yet written, or cut short by a crash.
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

/** Returns whether there is a process of this number, whoever it belongs to. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // A process of another user is one nevertheless.
    return reasonOf(error) === 'EPERM'
  }
}

function makeDirectory(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  } catch (cause) {
    throw unwritable(path, cause)
  }
}

function busy(path: string, pid: number | undefined): CausewayError {
  return new CausewayError(
    'data/busy',
    'Another Causeway process is still using this file. Wait a moment or quit the other process, then try again.',
    { details: { path, ...(pid === undefined ? {} : { pid }) } },
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
