import { readFile, readlink, realpath } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { firstBytes } from '../storage/regular-file'

/** Returns the parent of a process, and when it started; empty texts once it has ended. `root`: where the system shows processes. */
export async function statOf(root: string, pid: string): Promise<{ parent: string; startedAt: string }> {
  const text = await readFile(join(root, 'proc', pid, 'stat'), 'utf8').catch(() => '')
  // The name before may hold anything.
  const [, parent = '', ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return { parent, startedAt: rest[17] ?? '' }
}

/** Returns the file that a process runs, and the script if that is its interpreter. */
export async function filesOf(root: string, pid: string): Promise<readonly string[]> {
  const place = join(root, 'proc', pid)
  // A process may end meanwhile.
  const [program, words] = await Promise.all([
    readlink(join(place, 'exe')).catch(() => ''),
    readFile(join(place, 'cmdline'), 'utf8').catch(() => ''),
  ])
  return [program, await scriptOf(root, words.split('\0'))]
}

/**
 * Returns the script that was started; an empty text for any other program, whose arguments are files like any. The kernel starts
 * the interpreter that the first line of a script names, with at most one argument before the script; a desktop entry may start it itself.
 */
async function scriptOf(root: string, [interpreter = '', ...words]: readonly string[]): Promise<string> {
  for (const script of words.slice(0, 2).filter((word) => word.startsWith('/'))) {
    const start = await firstBytes(join(root, script), 256).catch(() => Buffer.alloc(0))
    const [, first = '', rest = ''] = /^#![ \t]*(\S+)[ \t]*(.*)/.exec(start.toString('latin1')) ?? []
    // env starts the first word that is neither an option nor a variable.
    const named = basename(first) === 'env' ? rest.split(/\s+/).find((word) => !/^-|=/.test(word)) : first
    if (basename(named ?? '') === basename(interpreter)) return realpath(script).catch(() => script)
  }
  return ''
}
