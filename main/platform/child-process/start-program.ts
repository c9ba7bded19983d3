import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { PassThrough, type Readable, type Writable } from 'node:stream'

const forceAfterMs = 5000

/** A program that runs beside this process, with pipes. */
export interface Program {
  /** Undefined if it could not be started. */
  readonly pid: number | undefined
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  /**
   * Resolves when the program has ended, with neither a status nor a signal if it could not be started; never rejects. The
   * end of its output may come later.
   */
  readonly ended: Promise<{ readonly exitCode?: number; readonly signal?: string }>
  /** Sends a signal; one that asks the program to end is followed by SIGKILL after 5 s. */
  readonly kill: (signal: 'SIGTERM' | 'SIGKILL') => void
}

/**
 * Starts a program with these environment variables only. It is asked to end when this process exits. execa would take a
 * millisecond more of the fifteen until a tunnel is up.
 */
export function startProgram(
  [program, ...words]: readonly [string, ...string[]],
  env: Readonly<Record<string, string>>,
): Program {
  const child = spawnProgram(program, words, env)
  // A signal that the system refuses is an error, too.
  child?.on('error', () => undefined)
  if (child?.pid === undefined) return notStarted()
  let force: NodeJS.Timeout | undefined
  const atExit = () => void child.kill()
  process.once('exit', atExit)
  const ended = new Promise<{ exitCode?: number; signal?: string }>((resolve) => {
    child.once('exit', (exitCode, signal) => {
      process.off('exit', atExit)
      clearTimeout(force)
      resolve({ exitCode: exitCode ?? undefined, signal: signal ?? undefined })
    })
  })
  return {
    pid: child.pid,
    stdin: child.stdin,
    stdout: child.stdout,
    stderr: child.stderr,
    ended,
    kill: (signal) => {
      if (child.kill(signal)) force ??= setTimeout(() => child.kill('SIGKILL'), forceAfterMs).unref()
    },
  }
}

/** Returns undefined for some of the reasons why a program can't be started; for the others, it has no process id. */
function spawnProgram(
  program: string,
  words: readonly string[],
  env: Readonly<Record<string, string>>,
): ChildProcessWithoutNullStreams | undefined {
  try {
    return spawn(program, words, { env, windowsHide: true })
  } catch {
    return undefined
  }
}

function notStarted(): Program {
  return {
    pid: undefined,
    stdin: new PassThrough().resume(),
    stdout: new PassThrough().end(),
    stderr: new PassThrough().end(),
    ended: Promise.resolve({}),
    kill: () => undefined,
  }
}
