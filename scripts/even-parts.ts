/** Seconds that the slowest end-to-end files take on two cores. Files that aren't listed take about `usualSeconds`. */
const slowFiles: Readonly<Record<string, number>> = {
  'accessibility.e2e.ts': 60,
  'security.e2e.ts': 22,
  'login.e2e.ts': 21,
  'tunnel.e2e.ts': 21,
  'offline.e2e.ts': 20,
  'errors.e2e.ts': 19,
  'support-report.e2e.ts': 18,
  'tray.e2e.ts': 18,
  'mock-control-page.e2e.ts': 16,
  'restart.e2e.ts': 16,
  'tokens.e2e.ts': 16,
  'attachments.e2e.ts': 15,
  'first-run.e2e.ts': 15,
  'connection-details.e2e.ts': 13,
  'expiry.e2e.ts': 13,
  'organization.e2e.ts': 13,
  'frame.e2e.ts': 12,
  'news.e2e.ts': 12,
  'profiles.e2e.ts': 12,
  'connection-settings.e2e.ts': 11,
  'find-organization.e2e.ts': 11,
  'start.e2e.ts': 11,
}
const usualSeconds = 6

/** Distributes files over parts that take about as long as each other. A part may be empty where there are few files. */
export function evenParts(files: readonly string[], count: number): string[][] {
  const parts = Array.from({ length: count }, () => ({ files: [] as string[], seconds: 0 }))
  const secondsOf = (file: string) => slowFiles[file] ?? usualSeconds
  // The longest first, each to the part that has the least to do.
  for (const file of files.toSorted((one, other) => secondsOf(other) - secondsOf(one))) {
    const least = parts.reduce((one, other) => (other.seconds < one.seconds ? other : one))
    least.files.push(file)
    least.seconds += secondsOf(file)
  }
  return parts.map(({ files }) => files)
}
