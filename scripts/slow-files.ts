import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What `vitest run` needs in its environment for the slow tests (slow.testing.ts). */
export const slowTests = { CAUSEWAY_SLOW_TESTS: '1' }

const root = join(import.meta.dirname, '..')
const folders = ['contract', 'main', 'mock-server', 'scripts', 'bench', 'renderer']

/** Returns the paths of the test files that have slow tests or rows, from the root of the repository. */
export async function slowFiles(): Promise<readonly string[]> {
  const found = await Promise.all(
    folders.map(async (folder) => {
      const names = await readdir(join(root, folder), { recursive: true })
      const tests = names.filter((name) => /\.test\.tsx?$/.test(name)).map((name) => join(folder, name))
      const texts = await Promise.all(tests.map((path) => readFile(join(root, path), 'utf8')))
      return tests.filter((_, index) => /\/slow\.testing'|isSlowRun/.test(texts[index] ?? ''))
    }),
  )
  return found.flat().sort()
}
