import type { Readable } from 'node:stream'

/** A program that execa started. */
interface Running<Result> extends PromiseLike<Result> {
  readonly stdout: Readable | null
  readonly stderr: Readable | null
  kill(signal: 'SIGKILL'): boolean
  unref(): void
}

/**
 * Returns the result of a program; undefined if it doesn't come in time. execa's own `timeout` only kills the program, and then
 * waits for the end of its output, which never comes if another process keeps that open, or if the program can't be ended.
 */
export async function resultWithin<Result>(
  timeoutMs: number,
  running: Running<Result>,
): Promise<Result | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      running.kill('SIGKILL')
      running.stdout?.destroy()
      running.stderr?.destroy()
      running.unref()
      resolve(undefined)
    }, timeoutMs)
  })
  try {
    return await Promise.race([running, late])
  } finally {
    clearTimeout(timer)
  }
}
