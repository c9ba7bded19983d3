import { readFile } from 'node:fs/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { isProgram } from './is-program'

const setpriv = '/usr/bin/setpriv'

/**
 * The words to put before a program so that the kernel ends it when this process dies, however it dies: `setpriv` from
 * util-linux, where it is. Elsewhere there are none, and the program outlives a Causeway that is killed.
 */
export async function lifelineWords(): Promise<readonly string[]> {
  return process.platform === 'linux' && (await isProgram(setpriv))
    ? [setpriv, '--pdeathsig', 'TERM', '--']
    : []
}

/** A command with the lifeline's words before it. */
export function afterLifeline(
  words: readonly string[],
  ...command: [string, ...string[]]
): [string, ...string[]] {
  const [first, ...rest] = words
  return first === undefined ? command : [first, ...rest, ...command]
}

/**
 * A command that does not begin where this process has died before the kernel was asked: its parent is another then. For
 * programs after the lifeline that wait for nothing; one that waits for its input can be held back for less (`untilTied`).
 */
export function unlessOrphaned(...command: [string, ...string[]]): [string, ...string[]] {
  return ['/bin/sh', '-c', '[ "$PPID" = "$1" ] && shift && exec "$@"', 'sh', String(process.pid), ...command]
}

/**
 * Resolves when a process that was started after the lifeline's words has become its program, or is gone. Until then
 * the kernel does not know yet that it is to end with this one, and were this one killed, nobody would tell it.
 */
export async function untilTied(pid: number): Promise<void> {
  // Nothing tells of an exec. It takes about a millisecond, which a timer would double.
  while ((await nameOf(pid)) === 'setpriv') await nextTurn()
}

async function nameOf(pid: number): Promise<string | undefined> {
  return readFile(`/proc/${pid}/comm`, 'utf8').then(
    (name) => name.trimEnd(),
    () => undefined,
  )
}
