import { readdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { CausewayError } from '../../errors'
import { unreadable, unwritable } from './data-errors'
import { withFileLock } from './file-lock'
import { reasonOf } from './file-system-error'
import { whileAnswering } from './while-answering'

/**
 * Removes earlier content of a JSON file from its folder: copies of a damaged file, and what a process wrote that was killed before
 * it could rename it (write-file-atomic adds a number). Throws `data/unreadable`, `data/unwritable`,
 * `data/busy` and `data/not-responding`.
 */
export async function removeCopies(path: string): Promise<void> {
  if ((await copiesOf(path)).length === 0) return
  // Whoever holds the lock may be writing one of them.
  await withFileLock(path, async () => {
    try {
      for (const copy of await copiesOf(path)) await rm(copy, { force: true })
    } catch (cause) {
      throw unwritable(path, cause)
    }
  })
}

async function copiesOf(path: string): Promise<readonly string[]> {
  const beginning = `${basename(path)}.`
  const names = await whileAnswering(path, () => readdir(dirname(path))).catch((error: unknown) => {
    if (reasonOf(error) === 'ENOENT') return []
    throw error instanceof CausewayError ? error : unreadable(dirname(path), error)
  })
  return names
    .filter((name) => name.startsWith(beginning) && /^(corrupt-.+|\d+)$/.test(name.slice(beginning.length)))
    .map((name) => join(dirname(path), name))
}
