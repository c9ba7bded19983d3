import { spawn } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'

/** Far longer than a disk needs that has to spin up. */
const limitMs = 10_000

/** Lists a folder with all that is in it and where its links lead, without looking up names of users. */
const list = ['/bin/ls', '-anL', '--'] as const

interface SilentPlaceOptions {
  readonly platform?: NodeJS.Platform
  readonly limitMs?: number
  /** The program and its words, to which the paths are added. */
  readonly program?: readonly [string, ...string[]]
}

/**
 * Returns the first of these files or folders that doesn't respond, such as one on a network share that is gone;
 * undefined if each answers, if only with an error. A program asks: one that waits for such a disk hears no signal, and a thread
 * of Node's that does keeps the process from ending, so this process must not touch the place before. On Windows, where requests
 * to a share end by themselves, nothing is asked.
 */
export async function silentPlace(
  paths: readonly string[],
  { platform = process.platform, limitMs: ms = limitMs, program = list }: SilentPlaceOptions = {},
): Promise<string | undefined> {
  if (platform === 'win32') return undefined
  const together = answers(paths, program, ms)
  // As a rule all answer at once, and one program is enough.
  if (await Promise.race([together, delay(ms / 10, false, { ref: false })])) return undefined
  // As long as the rest of the time: on a busy computer a disk that is well takes a second, and is not to be blamed.
  const answered = await Promise.all(paths.map((path) => answers([path], program, ms * 0.9)))
  return (await together) ? undefined : paths.find((_path, index) => answered[index] === false)
}

async function answers(
  paths: readonly string[],
  [file, ...words]: readonly [string, ...string[]],
  ms: number,
): Promise<boolean> {
  const asking = spawn(file, [...words, ...paths], { stdio: 'ignore', env: {} })
  const end = (): void => void asking.kill('SIGKILL')
  process.once('exit', end)
  try {
    return await new Promise((resolve) => {
      const timer = setTimeout(() => {
        end()
        // The kernel may not let it end.
        asking.unref()
        resolve(false)
      }, ms)
      const answered = (): void => {
        clearTimeout(timer)
        resolve(true)
      }
      // Without the program, nothing is known.
      asking.once('exit', answered).once('error', answered)
    })
  } finally {
    process.off('exit', end)
  }
}
