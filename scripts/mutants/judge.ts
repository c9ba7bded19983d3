import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import { createVitest, type TestModule, type TestSpecification } from 'vitest/node'
import { z } from 'zod'
import type { Answer } from './judge-process'
import { failureOf } from './failure-of'
import { nearestFirst } from './nearest-first'

/**
 * Runs tests of the copy in the current folder again and again in one Vitest, which keeps what it has read. The arguments are its
 * configuration, a file for how long each test file takes, and how many run at a time. Each line of the standard input is a question of judge-process.ts,
 * each line of the output its answer, which ends with the first test that fails.
 */
const [, , config = '', timesFile = '', workers = ''] = process.argv

const readTimes = z.record(z.string(), z.number())

/** How long each test file took when it passed without a change. */
const times = new Map<string, number>(
  existsSync(timesFile) ? Object.entries(readTimes.parse(JSON.parse(readFileSync(timesFile, 'utf8')))) : [],
)

/** How long a test file may take: a change can let it wait forever, which is a failure. */
function limitMs(path: string): number {
  const ms = times.get(path)
  return ms === undefined ? 900_000 : 60_000 + 5 * ms
}

const pathOf = (moduleId: string): string => relative(process.cwd(), moduleId)

/** Watches a run, and answers where a test file hangs. */
class Watch {
  readonly #started = new Map<string, { readonly at: number; readonly timer: NodeJS.Timeout }>()
  /** How long the test files of this run took. */
  readonly took = new Map<string, number>()

  clear(): void {
    for (const { timer } of this.#started.values()) clearTimeout(timer)
    this.#started.clear()
    this.took.clear()
  }

  /** Returns whether this run has started a test file; Vitest's result has those of earlier runs, too. */
  hasStarted(path: string): boolean {
    return this.#started.has(path)
  }

  onTestModuleQueued({ moduleId }: TestModule): void {
    const path = pathOf(moduleId)
    const timer = setTimeout(() => {
      answer({ text: `${path} takes too long`, file: path, hangs: true })
    }, limitMs(path))
    this.#started.set(path, { at: performance.now(), timer })
  }

  onTestModuleEnd({ moduleId }: TestModule): void {
    const path = pathOf(moduleId)
    const started = this.#started.get(path)
    if (started === undefined) return
    clearTimeout(started.timer)
    this.took.set(path, performance.now() - started.at)
  }
}

let order: readonly string[] = []

/** Runs test files in the order that is set; Vitest's own begins with the longest. */
class OwnOrder {
  shard(files: TestSpecification[]): Promise<TestSpecification[]> {
    return Promise.resolve(files)
  }

  sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = new Map(order.map((path, at) => [path, at]))
    const placeOf = ({ moduleId }: TestSpecification): number => place.get(pathOf(moduleId)) ?? order.length
    return Promise.resolve(files.toSorted((one, other) => placeOf(one) - placeOf(other)))
  }
}

const watch = new Watch()
const vitest = await createVitest('test', {
  root: process.cwd(),
  config,
  watch: false,
  bail: 1,
  maxWorkers: Number(workers),
  sequence: { sequencer: OwnOrder },
  reporters: [watch],
})

function answer(said: Answer): void {
  process.stdout.write(`${JSON.stringify(said)}\n`)
}

/** Returns the tests that import a file, directly or not, or all tests. */
async function tests(related?: string[]): Promise<readonly TestSpecification[]> {
  vitest.config.related = related
  return vitest.getRelevantTestSpecifications()
}

async function run(specifications: readonly TestSpecification[]): Promise<Answer> {
  watch.clear()
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications([...specifications])
  const files = testModules.map((module) => ({
    path: pathOf(module.moduleId),
    isOk: module.ok(),
    failed: [...module.children.allTests('failed')].map(({ fullName }) => fullName),
  }))
  return failureOf({
    // The result has those of earlier runs, too.
    files: files.filter(({ path }) => watch.hasStarted(path)),
    unfinished: specifications.filter(({ moduleId }) => !watch.took.has(pathOf(moduleId))).length,
    errors: unhandledErrors.map(String),
  })
}

const all = await tests()

/** Runs all tests after a change of a file, the nearest first. */
async function judge(changed: string): Promise<Answer> {
  const file = join(process.cwd(), changed)
  vitest.invalidateFile(file)
  const related = new Set((await tests([file])).map(({ moduleId }) => moduleId))
  const known = all.map(({ moduleId }) => {
    const path = pathOf(moduleId)
    return { path, isRelated: related.has(moduleId), ms: times.get(path) ?? 0 }
  })
  order = nearestFirst(changed, known).map(({ path }) => path)
  const failure = await run(all)
  // The source comes back before the next question.
  vitest.invalidateFile(file)
  return failure
}

/** Runs all tests, or one file, without a change. */
async function verify(only?: string): Promise<Answer> {
  const failure = await run(all.filter(({ moduleId }) => only === undefined || pathOf(moduleId) === only))
  if (failure.text === undefined) {
    for (const [path, ms] of watch.took) times.set(path, ms)
    writeFileSync(timesFile, JSON.stringify(Object.fromEntries(times)))
  }
  return failure
}

const question = z.union([z.object({ changed: z.string() }), z.object({ only: z.string().optional() })])
for await (const line of createInterface({ input: process.stdin })) {
  const asked = question.parse(JSON.parse(line))
  answer('changed' in asked ? await judge(asked.changed) : await verify(asked.only))
}
await vitest.close()
