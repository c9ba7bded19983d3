import { codeOf } from './errors'

/** Returns whether a process with this id exists, whichever user owns it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}
