import { setTimeout as delay } from 'node:timers/promises'
import { reasonOf } from './file-system-error'

/** The errors of Windows while another process, such as a virus scanner, has a file open. */
const inUse = ['EPERM', 'EACCES', 'EBUSY']
const tryForMs = 2000

/**
 * Replaces or removes a file, again and again for two seconds while Windows says that it is in use: there a file that any
 * process reads can't be replaced. Other systems have no such limit. Throws the last error of the system.
 */
export async function replaceWhileInUse<T>(
  replace: () => T | Promise<T>,
  options: {
    readonly platform?: NodeJS.Platform
    readonly wait?: (milliseconds: number) => Promise<unknown>
  } = {},
): Promise<T> {
  const { platform = process.platform, wait = delay } = options
  let pause = 10
  for (let waited = 0; ; waited += pause) {
    try {
      return await replace()
    } catch (error) {
      if (platform !== 'win32' || !inUse.includes(reasonOf(error)) || waited >= tryForMs) throw error
    }
    // Processes that wait for the same file try at different times.
    pause = Math.min(100, pause * 2) * (0.5 + Math.random())
    await wait(pause)
  }
}
