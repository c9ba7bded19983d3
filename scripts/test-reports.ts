import { readFile } from 'node:fs/promises'
import { relative, sep } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { z } from 'zod'

/** Results of one report. */
export interface TestReport {
  readonly passed: number
  readonly failed: number
  readonly durations: readonly TestDuration[]
  readonly secondTries: readonly SecondTry[]
}

interface TestDuration {
  /** File and name of the test. */
  readonly test: string
  readonly ms: number
}

/** A test that failed and then passed. */
interface SecondTry {
  /** File and name of the test. */
  readonly test: string
  /** The error of the first try. */
  readonly error: string
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
          status: z.string(),
          // With the errors of earlier tries.
          failureMessages: z.array(z.string()),
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
      tests: z.array(
        z.object({
          status: z.string(),
          results: z.array(
            z.object({
              duration: z.number(),
              error: z.object({ message: z.string().optional() }).optional(),
            }),
          ),
        }),
      ),
    }),
  ),
  get suites() {
    return z.array(playwrightSuite).optional()
  },
})
const playwrightReport = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number() }),
  suites: z.array(playwrightSuite),
})

/** Reads a report of Vitest's JSON reporter; file names become relative to `folder`, with slashes. */
export async function readVitestReport(path: string, folder: string): Promise<TestReport> {
  const { numPassedTests, numFailedTests, testResults } = vitestReport.parse(await readJson(path))
  const tests = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, duration, status, failureMessages }) => ({
      test: `${relative(folder, name).replaceAll(sep, '/')}: ${fullName}`,
      ms: duration ?? 0,
      error: status === 'passed' ? failureMessages[0] : undefined,
    })),
  )
  return {
    passed: numPassedTests,
    failed: numFailedTests,
    durations: tests,
    secondTries: secondTriesOf(tests),
  }
}

/** Reads a report of Playwright's JSON reporter. */
export async function readPlaywrightReport(path: string): Promise<TestReport> {
  const { stats, suites } = playwrightReport.parse(await readJson(path))
  const tests = suites.flatMap(testsOf)
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
    durations: tests,
    secondTries: secondTriesOf(tests),
  }
}

type Test = TestDuration & { readonly error: string | undefined }

function testsOf({ specs, suites = [] }: z.infer<typeof playwrightSuite>): Test[] {
  const own = specs.map(({ title, file, tests }) => {
    const flaky = tests.find(({ status }) => status === 'flaky')
    return {
      test: `${file}: ${title}`,
      ms: tests.flatMap(({ results }) => results).reduce((sum, { duration }) => sum + duration, 0),
      error: flaky && (flaky.results[0]?.error?.message ?? ''),
    }
  })
  return [...own, ...suites.flatMap(testsOf)]
}

function secondTriesOf(tests: readonly Test[]): SecondTry[] {
  return tests.flatMap(({ test, error }) => (error === undefined ? [] : [{ test, error }]))
}

/** Returns the slowest tests of all reports as lines to print, slowest first. */
export function slowestTests(reports: readonly TestReport[], count: number): string[] {
  return reports
    .flatMap(({ durations }) => durations)
    .sort((one, other) => other.ms - one.ms)
    .slice(0, count)
    .map(({ test, ms }) => `${(ms / 1000).toFixed(1).padStart(6)} s  ${test}`)
}

/** Returns the tests that passed only on their second try as lines to print, each with the beginning of its error. */
export function secondTryLines(reports: readonly TestReport[]): string[] {
  return reports
    .flatMap(({ secondTries }) => secondTries)
    .map(({ test, error }) => `  ${test}\n    ${stripVTControlCharacters(error).split('\n', 1)[0] ?? ''}`)
}

async function readJson(path: string): Promise<unknown> {
  return JSON.parse(await readFile(path, 'utf8'))
}
