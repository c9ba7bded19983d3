import { existsSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { z } from 'zod'
import { resultWithin } from './result-within'

/** Returns the command that starts Causeway's helper on Windows with these words (docs/helper.md). */
export type WindowsHelper = (...words: readonly string[]) => readonly [string, ...string[]]

/** The helper that belongs to this program. */
export const windowsHelper: WindowsHelper = (...words) => [helperOf(import.meta.dirname), ...words]

const name = 'causeway-helper.exe'

/**
 * Returns the path of the helper for a file of Causeway, which may not exist. Only two places count, because other folders
 * above may be writable for everybody.
 */
export function helperOf(file: string): string {
  let root = file
  while (!existsSync(join(root, 'package.json'))) {
    const above = dirname(root)
    if (above === root) return join(file, name)
    root = above
  }
  return basename(root) === 'app.asar'
    ? join(dirname(root), 'helper', name)
    : join(root, 'out', 'helper', name)
}

/**
 * Asks the helper one question; undefined if it is missing, may not run, or answers something else.
 *
 * @param schema of its one line of JSON
 * @param timeoutMs by default far longer than a slow computer needs to start it
 */
export async function askWindowsHelper<Schema extends z.ZodType>(
  schema: Schema,
  [program, ...words]: ReturnType<WindowsHelper>,
  timeoutMs = 20_000,
): Promise<z.infer<Schema> | undefined> {
  const { execa } = await import('execa')
  const result = await resultWithin(
    timeoutMs,
    execa(program, words, {
      reject: false,
      stdin: 'ignore',
      stderr: 'ignore',
      windowsHide: true,
      maxBuffer: 10_000_000,
    }),
  )
  if (result?.exitCode !== 0) return undefined
  try {
    return schema.safeParse(JSON.parse(result.stdout)).data
  } catch {
    return undefined
  }
}
