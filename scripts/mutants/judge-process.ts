import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import { execa, type ResultPromise } from 'execa'

/** A mutant that hangs is killed by the time. */
const limitMs = 900_000

/** The configuration in the copy that lets Vitest run only some tests. */
const configFile = 'vitest.room.config.ts'

/** How the names of the test files of each project of vitest.config.ts end. */
const ends = { node: '.test.ts', isolated: '.isolated.test.ts', renderer: '.test.tsx' }
type Project = keyof typeof ends

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
const projects = config.test.projects.map(({ test }) => ({
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
  #running: { readonly process: ResultPromise; readonly lines: Interface } | undefined

  /** @param without patterns of test files in `only` that are left out */
  constructor(tree: string, only: readonly string[], without: readonly string[] = []) {
    this.#tree = tree
    this.#only = only
    this.#without = without
  }

  /** Returns what fails, with or without a file that has changed; undefined if the tests pass. */
  async failure(changed = ''): Promise<string | undefined> {
    const { process, lines } = (this.#running ??= await this.#start())
    process.stdin?.write(`${changed}\n`)
    const limit = AbortSignal.timeout(limitMs)
    const answer = await Promise.race([
      once(lines, 'line', { signal: limit }).then(([line]) => String(line)),
      process.then(() => 'ended'),
    ]).catch(() => 'timed out')
    if (answer === 'pass') return undefined
    if (answer.startsWith('fail ')) return answer.slice('fail '.length)
    await this.end()
    return `the tests ${answer}`
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
