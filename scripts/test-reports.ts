import { readFile } from 'node:fs/promises'
import { relative, sep } from 'node:path'
import { z } from 'zod'

/** Results of one report. */
export interface TestReport {
  readonly passed: number
  readonly failed: number
  readonly durations: readonly TestDuration[]
}

interface TestDuration {
  /** File and name of the test. */
  readonly test: string
  readonly ms: number
}

const vitestReport = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      // A skipped test has no duration.
      assertionResults: z.array(
        z.object({
          fullName: z.string(),
          duration: z.number().nullish(),
        }),
      ),
    }),
  ),
})

const playwrightSuite = z.object({
  specs: z.array(
    z.object({
      title: z.string(),
      file: z.string(),
      tests: z.array(z.object({ results: z.array(z.object({ duration: z.number() })) })),
    }),
  ),
  get suites() {
    return z.array(playwrightSuite).optional()
  },
})
const playwrightReport = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number() }),
  suites: z.array(playwrightSuite),
})

/** Reads a report of Vitest's JSON reporter; file names become relative to `folder`, with slashes. */
export async function readVitestReport(path: string, folder: string): Promise<TestReport> {
  const { numPassedTests, numFailedTests, testResults } = vitestReport.parse(await readJson(path))
  const durations = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, duration }) => ({
      test: `${relative(folder, name).replaceAll(sep, '/')}: ${fullName}`,
      ms: duration ?? 0,
    })),
  )
  return { passed: numPassedTests, failed: numFailedTests, durations }
}

/** Reads a report of Playwright's JSON reporter. */
export async function readPlaywrightReport(path: string): Promise<TestReport> {
  const { stats, suites } = playwrightReport.parse(await readJson(path))
  return { passed: stats.expected, failed: stats.unexpected, durations: suites.flatMap(testsOf) }
}

function testsOf({ specs, suites = [] }: z.infer<typeof playwrightSuite>): TestDuration[] {
  const own = specs.map(({ title, file, tests }) => ({
    test: `${file}: ${title}`,
    ms: tests.flatMap(({ results }) => results).reduce((sum, { duration }) => sum + duration, 0),
  }))
  return [...own, ...suites.flatMap(testsOf)]
}

/** Returns the slowest tests of all reports as lines to print, slowest first. */
export function slowestTests(reports: readonly TestReport[], count: number): string[] {
  return reports
    .flatMap(({ durations }) => durations)
    .sort((one, other) => other.ms - one.ms)
    .slice(0, count)
    .map(({ test, ms }) => `${(ms / 1000).toFixed(1).padStart(6)} s  ${test}`)
}

async function readJson(path: string): Promise<unknown> {
  return JSON.parse(await readFile(path, 'utf8'))
}
