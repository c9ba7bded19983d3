import type { TestReport } from './test-reports'

/** The seconds that test files took, by their names. */
export type FileSeconds = Readonly<Record<string, number>>

/** Returns the seconds that the files of some reports took. */
export function secondsOfFiles(reports: readonly TestReport[]): FileSeconds {
  const seconds: Record<string, number> = {}
  for (const { test, ms } of reports.flatMap(({ durations }) => durations)) {
    const [file = ''] = test.split(': ')
    seconds[file] = (seconds[file] ?? 0) + ms / 1000
  }
  return seconds
}

/**
 * Distributes files over parts that take about as long as each other, by the seconds that they took before; a new file counts
 * as much as the mean. A part may be empty where there are few files.
 */
export function evenParts(files: readonly string[], count: number, measured: FileSeconds): string[][] {
  const known = Object.values(measured)
  const mean = known.reduce((sum, each) => sum + each, 0) / known.length || 1
  const parts = Array.from({ length: count }, () => ({ files: [] as string[], seconds: 0 }))
  const secondsOf = (file: string) => measured[file] ?? mean
  // The longest first, each to the part that has the least to do.
  for (const file of files.toSorted((one, other) => secondsOf(other) - secondsOf(one))) {
    const least = parts.reduce((one, other) => (other.seconds < one.seconds ? other : one))
    least.files.push(file)
    least.seconds += secondsOf(file)
  }
  return parts.map(({ files }) => files)
}
