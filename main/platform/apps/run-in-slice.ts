import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:os'
import { basename } from 'node:path'
import { unitPart, type UserManager } from './user-manager'

interface ProgramToStart {
  /** Moves the process to its side before it becomes the program. */
  readonly place: (pid: number, name: string) => Promise<void>
  readonly command: readonly [string, ...string[]]
  readonly env: NodeJS.ProcessEnv
  /** Default: that of this process. */
  readonly folder?: string | undefined
  /** Runs on without this process, and prints nothing. */
  readonly detached?: boolean
}

/**
 * Waits for a line, so that the program makes its first socket in its control group; ends if this process does. A program that
 * can't be started ends it with 126 or 127.
 */
const waiting = 'read -r go <&3 || exit 125; exec 3<&-; exec "$@"'

/**
 * Starts a program on its side; unless it is detached, the signals of this process are its. Rejects if it can't be placed there;
 * then nothing was started. This process stays as its parent, since Node.js 20, which Electron has, can't become another program.
 */
export async function startPlaced({
  place,
  command,
  env,
  folder,
  detached = false,
}: ProgramToStart): Promise<ChildProcess> {
  // From the start script (build/linux/causeway), since Node.js ignores no such signal.
  const { CAUSEWAY_IGNORES_HANGUP: nohup, ...ownEnv } = env
  const ignoresHangup = nohup === '1'
  const script = ignoresHangup ? `trap '' HUP; ${waiting}` : waiting
  const child = spawn('/bin/sh', ['-c', script, 'sh', ...command], {
    env: ownEnv,
    cwd: folder,
    detached,
    stdio: [
      ...Array.from({ length: 3 }, () => (detached ? ('ignore' as const) : ('inherit' as const))),
      'pipe',
    ],
  })
  // Without it, the error would end this process; below, there is no process id then.
  child.on('error', () => undefined)
  const gate = child.stdio[3]
  if (child.pid === undefined || gate === null || gate === undefined || !('write' in gate))
    throw new Error('The shell could not be started.')
  gate.on('error', () => undefined)
  try {
    await place(child.pid, basename(command[0]))
  } catch (error) {
    gate.destroy()
    throw error
  }
  // From its first step on: afterwards, a signal would come before its listener.
  if (!detached) passSignals(child, ignoresHangup)
  gate.end('go\n')
  if (detached) child.unref()
  return child
}

/** Moves a running process of this user into a slice, with a scope of its own. */
export async function placeInSlice(
  manager: UserManager,
  slice: string,
  pid: number,
  name: string,
): Promise<void> {
  await manager.startScope({
    // Of the form for apps (unit-names.ts); a process may be moved again.
    unit: `app-causeway-${unitPart(name)}-${pid}x${Date.now().toString(36)}.scope`,
    slice,
    description: name.replaceAll(/[^\P{C}]/gu, ' ').slice(0, 100),
    pids: [pid],
  })
}

/** Passed on; those of a terminal go to the program anyway. */
const passed = ['SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const
const ofTerminal = ['SIGINT', 'SIGQUIT'] as const

function passSignals(child: ChildProcess, ignoresHangup: boolean): void {
  const pass = (signal: NodeJS.Signals): void => void child.kill(signal)
  const isInTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY
  const ignore = (): void => undefined
  for (const signal of passed) process.on(signal, signal === 'SIGHUP' && ignoresHangup ? ignore : pass)
  for (const signal of ofTerminal) process.on(signal, isInTerminal ? ignore : pass)
}

/**
 * Stands in for a program that `startPlaced` started, until it ends, and then ends in the same way: with its exit status, or by
 * its signal.
 */
export async function standInFor(child: ChildProcess): Promise<void> {
  const [status, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) resolve([child.exitCode, child.signalCode])
    else
      child.once('exit', (...end) => {
        resolve(end)
      })
  })
  for (const each of [...passed, ...ofTerminal]) process.removeAllListeners(each)
  if (signal !== null) process.kill(process.pid, signal)
  // Node.js ignores some signals, such as SIGPIPE.
  process.exitCode = status ?? (signal === null ? 1 : 128 + constants.signals[signal])
}
