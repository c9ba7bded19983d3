import { join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import { createVitest, type TestRunResult, type TestSpecification } from 'vitest/node'

/**
 * Runs tests of the copy in the current folder again and again in one Vitest, which keeps what it has read. The argument is its
 * configuration. Each line of the standard input is a file that has changed since, or empty; the answer is a line: `pass`, or `fail`
 * with the names of the files and the tests that failed.
 */
const [, , config] = process.argv
const vitest = await createVitest('test', {
  root: process.cwd(),
  config,
  watch: false,
  bail: 1,
  // Most mutants need few test files, for which a second process would load everything again.
  maxWorkers: 1,
  reporters: [{}],
})

/** Returns what has failed, by its name. */
function failuresOf({ testModules, unhandledErrors }: TestRunResult): readonly string[] {
  const failed = testModules
    .filter((module) => !module.ok())
    .map((module) => {
      const tests = [...module.children.allTests('failed')].map(({ fullName }) => fullName)
      return [relative(process.cwd(), module.moduleId), ...tests].join(' > ')
    })
  return [...failed, ...unhandledErrors.map(String)]
}

/** Returns the tests that import a file, directly or not, or all tests. */
async function tests(related?: string[]): Promise<readonly TestSpecification[]> {
  vitest.config.related = related
  return vitest.getRelevantTestSpecifications()
}

async function failuresIn(specifications: readonly TestSpecification[]): Promise<readonly string[]> {
  return specifications.length === 0
    ? []
    : failuresOf(await vitest.runTestSpecifications([...specifications]))
}

const all = await tests()
for await (const line of createInterface({ input: process.stdin })) {
  const changed = line === '' ? undefined : join(process.cwd(), line)
  if (changed !== undefined) vitest.invalidateFile(changed)
  const first = changed === undefined ? [] : await tests([changed])
  const files = new Set(first.map(({ moduleId }) => moduleId))
  // Some tests start a program instead of importing what it consists of.
  const others = all.filter(({ moduleId }) => !files.has(moduleId))
  const related = await failuresIn(first)
  const failures = related.length > 0 ? related : await failuresIn(others)
  const answer = failures.length === 0 ? 'pass' : `fail ${failures.join(', ').replaceAll('\n', ' ')}`
  process.stdout.write(`${answer}\n`)
  // The source comes back before the next one changes.
  if (changed !== undefined) vitest.invalidateFile(changed)
}
await vitest.close()
