import { CausewayError } from '../../errors'
import { readRegularFile } from '../storage/regular-file'
import { logPaths } from './log-file'

/** Returns the last lines of the log, oldest first, from as many files as needed. Throws `data/unreadable`. */
export async function lastLogLines(folder: string, count: number): Promise<string[]> {
  let lines: string[] = []
  for (const path of logPaths(folder).reverse()) {
    if (lines.length >= count) break
    lines = [...(await linesOf(path)), ...lines]
  }
  return lines.slice(Math.max(0, lines.length - count))
}

async function linesOf(path: string): Promise<string[]> {
  try {
    return (await readRegularFile(path))
      .toString()
      .split('\n')
      .filter((line) => line !== '')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT') return []
    throw new CausewayError('data/unreadable', { details: { path, reason: code ?? 'unknown' }, cause })
  }
}
