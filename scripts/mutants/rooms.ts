import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { execa } from 'execa'
import { z } from 'zod'
import { filesIn } from './files-in'
import { judgeOfHelper } from './helper-judge'
import { JudgeProcess, type Judge } from './judge-process'
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
        verdict: async (path) => (await tests.noticed(path)) ?? 'survived',
        failure: (of) => tests.failure(of?.file),
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

export const rooms: readonly Room[] = [
  typescriptRoom('main/connection'),
  // Those that start the helper judge that, and take a quarter of an hour.
  typescriptRoom('main/tunnel', ['**/helper-*.test.ts', '**/macos-*.test.ts']),
  typescriptRoom('main/portal'),
  typescriptRoom('main/privilege', ['**/helper-{limits,root,users,wireguard}.test.ts']),
  typescriptRoom('renderer/store'),
  typescriptRoom('renderer/features/connection'),
  { name: 'helper', mutants: helperMutants, judge: judgeOfHelper },
]
