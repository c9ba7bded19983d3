import type { Answer } from './judge-process'

/** What a run of test files has come to. */
interface RunResult {
  /** The files that the run has started. */
  readonly files: readonly FileResult[]
  /** How many files it hasn't finished. */
  readonly unfinished: number
  /** Errors outside tests. */
  readonly errors: readonly string[]
}

interface FileResult {
  readonly path: string
  /** False once the file itself has failed: one whose test ends the run may not have got so far. */
  readonly isOk: boolean
  /** The names of its tests that failed. */
  readonly failed: readonly string[]
}

/** Returns what has failed, by its name, with the file of the first of it. Tests pass only if all have run. */
export function failureOf({ files, unfinished, errors }: RunResult): Answer {
  const failed = files.filter((file) => !file.isOk || file.failed.length > 0)
  const texts = [...failed.map(({ path, failed: tests }) => [path, ...tests].join(' > ')), ...errors]
  if (texts.length === 0)
    return unfinished === 0 ? {} : { text: `the run ends before ${unfinished} test files do` }
  const text = texts.join(', ').replaceAll('\n', ' ')
  return failed[0] === undefined ? { text } : { text, file: failed[0].path }
}
