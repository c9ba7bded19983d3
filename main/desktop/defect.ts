/**
 * What may be written of an error that is not ours: its kind and where it was thrown. Its message stays out, because
 * it could hold anything, a token included.
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
