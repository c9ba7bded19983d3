import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { isProgram } from './is-program'

const setpriv = '/usr/bin/setpriv'

/**
 * Returns the words to put before a program so that the kernel ends it when this process dies: `setpriv` from util-linux,
 * where installed. Otherwise there are none, and the program outlives a Causeway that is killed.
 */
export async function lifelineWords(): Promise<readonly string[]> {
  return process.platform === 'linux' && (await isProgram(setpriv))
    ? [setpriv, '--pdeathsig', 'TERM', '--']
    : []
}

/** Puts the lifeline's words before a command. */
export function afterLifeline(
  words: readonly string[],
  ...command: [string, ...string[]]
): [string, ...string[]] {
  const [first, ...rest] = words
  return first === undefined ? command : [first, ...rest, ...command]
}

/**
 * Returns a command that does not start if this process died before the kernel was told, because then its parent is another
 * process. For programs after the lifeline that do not read input; programs that do are held back with less effort
 * (`untilTied`).
 */
export function unlessOrphaned(...command: [string, ...string[]]): [string, ...string[]] {
  return ['/bin/sh', '-c', '[ "$PPID" = "$1" ] && shift && exec "$@"', 'sh', String(process.pid), ...command]
}

/**
 * Resolves when a process started with the lifeline's words has become its program, or has ended. Until then the kernel
 * would not end it with this process.
 */
export async function untilTied(pid: number): Promise<void> {
  // No event reports an exec. A program needs longer to start than the timer's millisecond.
  do await wait(1)
  while (nameOf(pid) === 'setpriv')
}

function nameOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trimEnd()
  } catch {
    return undefined
  }
}
