import { readIfPresent } from '../storage/data-errors'
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
  const text = (await readIfPresent(path))?.toString() ?? ''
  return text.split('\n').filter((line) => line !== '')
}
