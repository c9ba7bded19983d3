/**
 * Describes an unexpected error by its name and stack, without the message, which could hold anything, including a token.
 */
export function describeDefect(error: unknown): string {
  if (!(error instanceof Error)) return `internal/unexpected: a thrown ${typeof error}`
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  return [`internal/unexpected: ${error.name}`, ...frames].join('\n')
}

/** Writes a defect to standard error. */
export function logDefect(error: unknown): void {
  process.stderr.write(`${describeDefect(error)}\n`)
}
