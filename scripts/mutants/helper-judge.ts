import { basename, join } from 'node:path'
import { execa } from 'execa'
import { filesIn } from './files-in'
import { contained, JudgeProcess, type Failure, type Judge } from './judge-process'

/** Tests that wait for servers and programs most of the time. */
const workers = 3

/** Judges by the Go tests and, if these pass, by the tests that start the helper. */
export async function judgeOfHelper(tree: string): Promise<Judge> {
  const starting = (await filesIn(join(tree, 'main'))).filter((path) =>
    /^(helper|macos)-.*\.test\.ts$/.test(basename(path)),
  )
  const only = starting.map((path) => path.slice(tree.length + 1))
  const tests = new JudgeProcess(tree, only, [], workers)
  const goTests = join(tree, 'out', 'mutants.test')

  const run = (words: readonly string[], folder = 'helper') => {
    const [program, ...args] = contained(words)
    return execa(program, args, {
      cwd: join(tree, folder),
      reject: false,
      env: { CGO_ENABLED: '0', GOFLAGS: '' },
    })
  }
  const isCompiled = async (): Promise<boolean> => {
    const { failed } = await run(['go', 'test', '-c', '-vet=off', '-o', goTests, '.'])
    return !failed
  }
  const failedGoTest = async (name = '.'): Promise<Failure | undefined> => {
    const { failed, stdout } = await run([
      goTests,
      '-test.failfast',
      '-test.timeout=180s',
      `-test.run=${name}`,
    ])
    const test = /^--- FAIL: (\w+)/m.exec(stdout)?.[1]
    return failed ? { text: `go test ${test ?? ''}`, goTest: test } : undefined
  }
  const build = async (): Promise<Failure | undefined> => {
    const { failed } = await run([process.execPath, '--import', 'tsx', 'scripts/build-helper.ts'], '.')
    return failed ? { text: 'scripts/build-helper.ts' } : undefined
  }
  return {
    verdict: async (path) => {
      if (!(await isCompiled())) return 'not compiled'
      return (await failedGoTest()) ?? (await build()) ?? (await tests.noticed(path)) ?? 'survived'
    },
    failure: async (of) => {
      // Of the last change.
      if (!(await isCompiled())) return { text: 'go test -c' }
      const goFailure =
        of?.file === undefined ? await failedGoTest(of?.goTest && `^${of.goTest}$`) : undefined
      if (goFailure !== undefined || of?.goTest !== undefined) return goFailure
      return (await build()) ?? (await tests.failure(of?.file))
    },
    end: () => tests.end(),
  }
}
