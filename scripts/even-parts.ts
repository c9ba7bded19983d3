/** Seconds that the slowest end-to-end files take on two cores. Files that aren't listed take about `usualSeconds`. */
const slowFiles: Readonly<Record<string, number>> = {
  'accessibility.e2e.ts': 64,
  'attachments.e2e.ts': 32,
  'tray.e2e.ts': 28,
  'offline.e2e.ts': 22,
  'errors.e2e.ts': 16,
  'expiry.e2e.ts': 16,
  'news.e2e.ts': 16,
  'organization.e2e.ts': 15,
  'tokens.e2e.ts': 14,
  'tunnel.e2e.ts': 14,
  'find-organization.e2e.ts': 12,
  'connection-details.e2e.ts': 12,
  'certificate.e2e.ts': 11,
  'login.e2e.ts': 11,
  'updates.e2e.ts': 11,
  'connection-settings.e2e.ts': 10,
  'frame.e2e.ts': 10,
  'keyboard.e2e.ts': 10,
  'start.e2e.ts': 10,
  'quitting.e2e.ts': 9,
  'first-run.e2e.ts': 7,
  'restart.e2e.ts': 7,
  'at-a-glance.e2e.ts': 7,
  'installed.e2e.ts': 6,
  'security.e2e.ts': 6,
}
const usualSeconds = 4

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
