import { fstatSync, readFileSync } from 'node:fs'
import { isAlive } from './alive'

const farthest = 6
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

/** A process and those above it up to npm, or undefined where npm is not among them. */
function upToNpm(pid: number, depth = 0): number[] | undefined {
  if (isNpm(pid)) return [pid]
  const parent = depth < farthest ? parentOf(pid) : undefined
  const above = parent === undefined ? undefined : upToNpm(parent, depth + 1)
  return above === undefined ? undefined : [pid, ...above]
}

/** The process that started this one, and those above it up to npm where npm did. */
function launchers(): number[] {
  const startedByNpm = process.env.npm_lifecycle_event !== undefined
  return (startedByNpm ? upToNpm(process.ppid) : undefined) ?? [process.ppid]
}

function isPipe(descriptor: number): boolean {
  const status = fstatSync(descriptor)
  return status.isFIFO() || status.isSocket()
}

/**
 * Resolves when whoever started this process is gone, as after a crash of a test or demo, so that no mock stays behind
 * on its port. Only where standard output goes to a program: a mock in the background of a shell may outlive it.
 */
export function launcherGone(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (!isPipe(1)) return
    const watched = launchers()
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
