import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createVitest, type TestRunResult, type TestSpecification } from 'vitest/node'

/**
 * Runs tests of the copy in the current folder again and again in one Vitest, which keeps what it has read. The argument is its
 * configuration. Each line of the standard input is a file that has changed since, or empty; the answer is a line with `pass` or
 * `fail`.
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

function passed({ testModules, unhandledErrors }: TestRunResult): boolean {
  return unhandledErrors.length === 0 && testModules.every((module) => module.ok())
}

/** Returns the tests that import a file, directly or not, or all tests. */
async function tests(related?: string[]): Promise<readonly TestSpecification[]> {
  vitest.config.related = related
  return vitest.getRelevantTestSpecifications()
}

async function pass(specifications: readonly TestSpecification[]): Promise<boolean> {
  return specifications.length === 0 || passed(await vitest.runTestSpecifications([...specifications]))
}

const all = await tests()
for await (const line of createInterface({ input: process.stdin })) {
  const changed = line === '' ? undefined : join(process.cwd(), line)
  if (changed !== undefined) vitest.invalidateFile(changed)
  const first = changed === undefined ? [] : await tests([changed])
  const files = new Set(first.map(({ moduleId }) => moduleId))
  // Some tests start a program instead of importing what it consists of.
  const others = all.filter(({ moduleId }) => !files.has(moduleId))
  process.stdout.write(`${(await pass(first)) && (await pass(others)) ? 'pass' : 'fail'}\n`)
  // The source comes back before the next one changes.
  if (changed !== undefined) vitest.invalidateFile(changed)
}
await vitest.close()
