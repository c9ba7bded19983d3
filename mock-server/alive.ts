import { readlinkSync } from 'node:fs'
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

/** On Linux the number of this process's PID namespace, outside of which its id means another process; otherwise 0. */
const pidNamespace = ((): string => {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0'
  } catch {
    return '0'
  }
})()

/** A part of a name that tells others whose this is, such as a container that shares this folder: see `mayBeOwned`. */
export const owner = `${pidNamespace}-${process.pid}`

export const ownerPattern = '\\d+-\\d+'

/** Returns whether the process that named something may run: one in another PID namespace can't be seen. */
export function mayBeOwned(by: string): boolean {
  const [namespace, pid] = by.split('-')
  return namespace !== pidNamespace || isAlive(Number(pid))
}
