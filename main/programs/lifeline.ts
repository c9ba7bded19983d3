import { isProgram } from './is-program'

const setpriv = '/usr/bin/setpriv'

/** Of a process that died before the kernel was asked, the kernel tells nobody; its child has another parent then. */
const unlessOrphaned = '[ "$PPID" = "$1" ] && shift && exec "$@"'

/**
 * The words to put before a child of this process so that the kernel ends it when this process dies, however and whenever
 * it dies: `setpriv` from util-linux, where it is. Elsewhere there are none, and the child outlives a Causeway that is
 * killed.
 */
export async function lifelineWords(): Promise<readonly string[]> {
  return process.platform === 'linux' && (await isProgram(setpriv))
    ? [setpriv, '--pdeathsig', 'TERM', '--', '/bin/sh', '-c', unlessOrphaned, 'sh', String(process.pid)]
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
