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
