import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { execa } from 'execa'
import { z } from 'zod'
import { contained, JudgeProcess } from './judge-process'
import type { Mutant } from './mutant'
import { typescriptMutants } from './typescript-mutants'

/** A folder with its tests, which are to notice each mutant. */
export interface Room {
  readonly name: string
  /** Returns all mutants of a copy of the repository. */
  mutants(tree: string): Promise<readonly Mutant[]>
  /** Returns what judges the mutants of the copy. */
  judge(tree: string): Promise<Judge>
}

export interface Judge {
  /** Returns whether the tests notice that a file has changed; undefined if it isn't a program any more. */
  notices(path: string): Promise<boolean | undefined>
  /** Returns what fails without a change; undefined if the tests pass. */
  failure(): Promise<string | undefined>
  end(): Promise<void>
}

async function filesIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder, { recursive: true })
  return names.map((name) => join(folder, name))
}

/** @param without patterns of test files that don't judge the folder */
function typescriptRoom(name: string, without: readonly string[] = []): Room {
  return {
    name,
    mutants: async (tree) => {
      const files = (await filesIn(join(tree, name))).filter(
        (path) => /\.tsx?$/.test(path) && !/\.(test|testing)\.tsx?$/.test(basename(path)),
      )
      const found = files.map(async (path) =>
        typescriptMutants(path.slice(tree.length + 1), await readFile(path, 'utf8')),
      )
      return (await Promise.all(found)).flat()
    },
    judge: (tree) => {
      const tests = new JudgeProcess(tree, [name], without)
      return Promise.resolve({
        notices: async (path) => (await tests.failure(path)) !== undefined,
        failure: () => tests.failure(),
        end: () => tests.end(),
      })
    },
  }
}

const goMutants = z.array(
  z.object({ path: z.string(), start: z.number(), end: z.number(), text: z.string() }),
)

/** The mutants of the files that are compiled on this computer: those of others would survive. */
async function helperMutants(tree: string): Promise<readonly Mutant[]> {
  const folder = join(tree, 'helper')
  const { stdout: names } = await execa('go', ['list', '-f', '{{join .GoFiles "\\n"}}', '.'], { cwd: folder })
  const program = join(import.meta.dirname, 'go-mutants.go')
  const { stdout } = await execa('go', ['run', program, '--', ...names.split('\n')], { cwd: folder })
  const sources = new Map<string, Buffer>()
  for (const name of names.split('\n')) sources.set(name, await readFile(join(folder, name)))
  return goMutants.parse(JSON.parse(stdout)).map(({ path, start, end, text }) => {
    const bytes = sources.get(path) ?? Buffer.alloc(0)
    const at = (offset: number): number => bytes.subarray(0, offset).toString().length
    return { path: `helper/${path}`, source: bytes.toString(), start: at(start), end: at(end), text }
  })
}

/** Judges by the Go tests and, if these pass, by the tests that start the helper. */
async function judgeOfHelper(tree: string): Promise<Judge> {
  const starting = (await filesIn(join(tree, 'main'))).filter((path) =>
    /^(helper|macos)-.*\.test\.ts$/.test(basename(path)),
  )
  const tests = new JudgeProcess(
    tree,
    starting.map((path) => path.slice(tree.length + 1)),
  )
  const run = async (words: readonly string[], folder = 'helper'): Promise<boolean> => {
    const [program, ...args] = contained(words)
    const { failed } = await execa(program, args, {
      cwd: join(tree, folder),
      stdio: 'ignore',
      reject: false,
      env: { CGO_ENABLED: '0', GOFLAGS: '' },
    })
    return !failed
  }
  const failure = async (): Promise<string | undefined> => {
    if (!(await run(['go', 'test', '-vet=off', '-failfast', '-timeout', '300s', '.']))) return 'go test'
    if (!(await run([process.execPath, '--import', 'tsx', 'scripts/build-helper.ts'], '.')))
      return 'scripts/build-helper.ts'
    return tests.failure()
  }
  return {
    notices: async () =>
      (await run(['go', 'build', '-o', '/dev/null', '.'])) ? (await failure()) !== undefined : undefined,
    failure,
    end: () => tests.end(),
  }
}

export const rooms: readonly Room[] = [
  typescriptRoom('main/connection'),
  // Those that start the helper judge that, and take a quarter of an hour.
  typescriptRoom('main/tunnel', ['**/helper-*.test.ts', '**/macos-*.test.ts']),
  typescriptRoom('main/portal'),
  typescriptRoom('main/privilege'),
  typescriptRoom('renderer/store'),
  typescriptRoom('renderer/features/connection'),
  { name: 'helper', mutants: helperMutants, judge: judgeOfHelper },
]
