import { fstatSync, readFileSync } from 'node:fs'
import { isAlive } from './alive'

const maxDepth = 6
const pollMs = 500

/** Returns the text that Linux shows about a process; an empty one elsewhere, or if it has ended. */
function shownOf(pid: number, name: 'status' | 'cmdline'): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8')
  } catch {
    return ''
  }
}

function parentOf(pid: number): number {
  return Number(/^PPid:\s*(\d+)$/m.exec(shownOf(pid, 'status'))?.[1] ?? 0)
}

/** Returns a process and its ancestors up to npm, or undefined if npm is not among them. */
function upToNpm(pid: number, depth = 0): number[] | undefined {
  if (shownOf(pid, 'cmdline').startsWith('npm ')) return [pid]
  const parent = parentOf(pid)
  const above = parent === 0 || depth === maxDepth ? undefined : upToNpm(parent, depth + 1)
  return above === undefined ? undefined : [pid, ...above]
}

function isPipe(descriptor: number): boolean {
  const status = fstatSync(descriptor)
  return status.isFIFO() || status.isSocket()
}

/**
 * Returns the processes that this one must not outlive: up to npm, or its parent; if standard output is a pipe, also the parent of
 * npm, which is a test that npm outlives.
 */
function launchers(): number[] {
  const startedByNpm = process.env.npm_lifecycle_event !== undefined
  const npm = startedByNpm ? upToNpm(process.ppid) : undefined
  if (npm !== undefined) return isPipe(1) ? [...npm, parentOf(npm.at(-1) ?? 0)].filter((pid) => pid > 0) : npm
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
