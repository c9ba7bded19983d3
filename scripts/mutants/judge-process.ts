import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import { execa, type ResultPromise } from 'execa'
import { z } from 'zod'

/** Where Vitest itself hangs; judge.ts limits each test file. */
const limitMs = 3_600_000

/** The configuration in the copy that lets Vitest run only some tests. */
const configFile = 'vitest.room.config.ts'

/** How long each test file took, which a new process must know. */
const timesFile = 'vitest.room.times.json'

/** What is to be run: all tests after a change of a file, or all tests, or one file of them, without a change. */
type Question = { readonly changed: string } | { readonly only?: string }

/** The text is missing where the tests pass, the file where something else than a test fails. A process that hangs must end. */
const answer = z.object({
  text: z.string().optional(),
  file: z.string().optional(),
  hangs: z.boolean().optional(),
})
export type Answer = z.infer<typeof answer>

/** What fails. */
export interface Failure {
  readonly text: string
  /** The test file; undefined where something else fails. */
  readonly file?: string | undefined
  /** The Go test that fails. */
  readonly goTest?: string | undefined
}

/** How the names of the test files of each project of vitest.config.ts end. */
const ends = { node: '.test.ts', isolated: '.isolated.test.ts', renderer: '.test.tsx' }
type Project = keyof typeof ends

export interface Judge {
  /** Returns what fails since a file has changed, if something does. */
  verdict(path: string): Promise<Failure | 'survived' | 'not compiled'>
  /** Returns what fails without a change, of all tests or of those that failed before; undefined if they pass. */
  failure(of?: Failure): Promise<Failure | undefined>
  end(): Promise<void>
}

function projectOf(file: string): Project {
  if (file.endsWith(ends.renderer)) return 'renderer'
  return file.endsWith(ends.isolated) ? 'isolated' : 'node'
}

/** Returns the patterns of a project for tests of folders, or for files, each of which only its own project can run. */
export function includedIn(project: Project, only: readonly string[]): readonly string[] {
  return only.flatMap((path) => {
    if (!/\.test\.tsx?$/.test(path)) return [`${path}/**/*${ends[project]}`]
    return projectOf(path) === project ? [path] : []
  })
}

/** Returns the text of the configuration that lets Vitest run only the tests of folders, or of files, without some of them. */
function configFor(only: readonly string[], without: readonly string[]): string {
  const include = {
    node: includedIn('node', only),
    isolated: includedIn('isolated', only),
    renderer: includedIn('renderer', only),
  }
  return `import config from './vitest.config'

const include = ${JSON.stringify(include)}
const exclude = ${JSON.stringify(without)}
// The judge says how many files run at a time.
const projects = config.test.projects.map(({ test: { maxWorkers: _, ...test } }) => ({
  test: { ...test, exclude: [...(test.exclude ?? []), ...exclude], include: include[test.name] },
}))
export default { test: { ...config.test, projects } }
`
}

/**
 * Returns a command that runs another with its own processes, network and mounts, where this user may: a mutant could end other
 * programs or change the computer's network. Without these rights, the tests change nothing of it either.
 */
export function contained(words: readonly string[]): [string, ...string[]] {
  const [first = '', ...rest] = words
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return [first, ...rest]
  return [
    'unshare',
    ...['--pid', '--fork', '--kill-child', '--mount', '--mount-proc', '--net', '--'],
    ...['sh', '-c', 'ip link set lo up && exec "$@"', 'sh', first, ...rest],
  ]
}

/** Runs tests of a copy of the repository, in a process that is started again after a test that hangs. */
export class JudgeProcess {
  readonly #tree: string
  readonly #only: readonly string[]
  readonly #without: readonly string[]
  readonly #workers: number
  #running: { readonly process: ResultPromise; readonly lines: Interface } | undefined

  /**
   * @param without patterns of test files in `only` that are left out
   * @param workers how many test files run at a time: few where a second process would load everything again
   */
  constructor(tree: string, only: readonly string[], without: readonly string[] = [], workers = 1) {
    this.#tree = tree
    this.#only = only
    this.#without = without
    this.#workers = workers
  }

  /** Returns what fails first since a file has changed; undefined if the tests pass. */
  noticed(changed: string): Promise<Failure | undefined> {
    return this.#ask({ changed })
  }

  /** Returns what fails of all tests, or of one file, without a change; undefined if they pass. */
  failure(only?: string): Promise<Failure | undefined> {
    return this.#ask(only === undefined ? {} : { only })
  }

  async #ask(question: Question): Promise<Failure | undefined> {
    const { process, lines } = (this.#running ??= await this.#start())
    process.stdin?.write(`${JSON.stringify(question)}\n`)
    const limit = AbortSignal.timeout(limitMs)
    const line = await Promise.race([
      once(lines, 'line', { signal: limit }).then(([said]) => String(said)),
      process.then(() => undefined),
    ]).catch(() => undefined)
    if (line === undefined) {
      await this.end()
      return { text: 'the tests end without an answer' }
    }
    const { text, file, hangs = false } = answer.parse(JSON.parse(line))
    if (hangs) await this.end()
    return text === undefined ? undefined : { text, file }
  }

  async end(): Promise<void> {
    const ended = this.#running?.process
    this.#running = undefined
    ended?.kill('SIGKILL')
    await ended
  }

  async #start() {
    await writeFile(join(this.#tree, configFile), configFor(this.#only, this.#without))
    const [program, ...args] = contained([
      process.execPath,
      '--import',
      'tsx',
      'scripts/mutants/judge.ts',
      configFile,
      timesFile,
      String(this.#workers),
    ])
    const started = execa(program, args, {
      cwd: this.#tree,
      reject: false,
      stdio: ['pipe', 'pipe', 'ignore'],
      buffer: false,
    })
    return { process: started, lines: createInterface({ input: started.stdout }) }
  }
}
