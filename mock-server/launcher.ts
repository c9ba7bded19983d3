import { fstatSync, readFileSync } from 'node:fs'
import { isAlive } from './alive'

const maxDepth = 6
const pollMs = 500

function parentOf(pid: number): number | undefined {
  try {
    const parent = /^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return parent === undefined ? undefined : Number(parent)
  } catch {
    return undefined
  }
}

function isNpm(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('npm ')
  } catch {
    return false
  }
}

/** Returns a process and its ancestors up to npm, or undefined if npm is not among them. */
function upToNpm(pid: number, depth = 0): number[] | undefined {
  if (isNpm(pid)) return [pid]
  const parent = depth < maxDepth ? parentOf(pid) : undefined
  const above = parent === undefined ? undefined : upToNpm(parent, depth + 1)
  return above === undefined ? undefined : [pid, ...above]
}

function isPipe(descriptor: number): boolean {
  const status = fstatSync(descriptor)
  return status.isFIFO() || status.isSocket()
}

/**
 * Returns the processes that this one must not outlive: its ancestors up to npm, if npm started it, or else its parent if
 * standard output is a pipe. A mock in the background of a shell may outlive the shell.
 */
function launchers(): number[] {
  const startedByNpm = process.env.npm_lifecycle_event !== undefined
  const npm = startedByNpm ? upToNpm(process.ppid) : undefined
  if (npm !== undefined) return npm
  // Only Linux shows the ancestors. Elsewhere, the parent is the shell that npm started.
  const isUnseen = startedByNpm && process.platform !== 'linux'
  return isUnseen || isPipe(1) ? [process.ppid] : []
}

/** Resolves when a process that started this one is gone, so that no mock survives a crashed test or npm. */
export function launcherGone(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const watched = launchers()
    if (watched.length === 0) return
    const timer = setInterval(() => {
      if (process.ppid === watched[0] && watched.every(isAlive)) return
      clearInterval(timer)
      resolve()
    }, pollMs)
    signal.addEventListener('abort', () => {
      clearInterval(timer)
    })
  })
}
