import { basename } from 'node:path'

/** A test file that may notice a change. */
export interface TestFile {
  readonly path: string
  /** Whether it imports the changed file, directly or not. */
  readonly isRelated: boolean
  /** How long it took the last time that it passed; undefined if it didn't yet. */
  readonly ms?: number
}

/** How many words of the changed file's name are in the name of a test file. */
function sharedWords(changed: string, test: string): number {
  const squeezed = basename(test).replaceAll(/[-_]/g, '')
  const words = basename(changed).split('.')[0]?.split(/[-_]/) ?? []
  return words.filter((word) => squeezed.includes(word)).length
}

/**
 * Returns test files in an order in which one of the first should notice a change: those that import the changed file before
 * those that start a program of it, those whose names resemble its name before others, and quick ones before those that need
 * servers.
 */
export function nearestFirst<File extends TestFile>(
  changed: string,
  tests: readonly File[],
): readonly File[] {
  return tests.toSorted(
    (one, other) =>
      Number(other.isRelated) - Number(one.isRelated) ||
      sharedWords(changed, other.path) - sharedWords(changed, one.path) ||
      (one.ms ?? 0) - (other.ms ?? 0),
  )
}
