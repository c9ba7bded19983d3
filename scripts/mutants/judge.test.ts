import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { inTemporaryFolder } from '../program'
import { failureOf } from './failure-of'
import { JudgeProcess } from './judge-process'
import { nearestFirst } from './nearest-first'

const root = join(import.meta.dirname, '../..')

const config = `export default {
  test: {
    projects: [
      { test: { name: 'node', isolate: false, include: [] } },
      // As in the configuration of the repository: its files take turns with the others, with another number of workers.
      { test: { name: 'renderer', isolate: false, include: [], maxWorkers: 2, sequence: { groupOrder: 1 } } },
    ],
  },
}
`
const testOf = (name: string) =>
  `import { expect, it } from 'vitest'
import { value } from './${name}'

it('${name} is 1', () => {
  expect(value).toBe(1)
})
`

it('says which tests fail since a change, and only these', async () => {
  await inTemporaryFolder('judge', async (tree) => {
    await symlink(join(root, 'node_modules'), join(tree, 'node_modules'))
    await symlink(join(root, 'scripts'), join(tree, 'scripts'))
    const write = (path: string, text: string) => writeFile(join(tree, path), text)
    await write('vitest.config.ts', config)
    await mkdir(join(tree, 'room'))
    await write('room/a.ts', 'export const value = 1\n')
    await write('room/a.test.ts', testOf('a'))
    await write('room/b.ts', 'export const value = 1\n')
    await write('room/b.test.tsx', testOf('b'))
    const judge = new JudgeProcess(tree, ['room'])
    try {
      expect(await judge.failure()).toBeUndefined()
      await write('room/a.ts', 'export const value = 2\n')
      expect(await judge.noticed('room/a.ts')).toEqual({
        text: 'room/a.test.ts > a is 1',
        file: 'room/a.test.ts',
      })
      await write('room/a.ts', 'export const value = 1\n')
      // The failure before isn't one of this change.
      await write('room/b.ts', 'export const value = 0 + 1\n')
      expect(await judge.noticed('room/b.ts')).toBeUndefined()
      await write('room/b.ts', 'export const value = 1\n')
      expect(await judge.failure('room/a.test.ts')).toBeUndefined()
    } finally {
      await judge.end()
    }
  })
})

it('begins with the tests that are nearest to a change, and quick ones', () => {
  const files = [
    { path: 'main/tunnel/starts-program.test.ts', isRelated: false, ms: 1 },
    { path: 'main/tunnel/traffic.test.ts', isRelated: true, ms: 60_000 },
    { path: 'main/tunnel/wire.test.ts', isRelated: true, ms: 10 },
    { path: 'main/tunnel/log-failures.test.ts', isRelated: true, ms: 5000 },
    { path: 'main/tunnel/log-parser.test.ts', isRelated: true, ms: 9000 },
  ]
  expect(nearestFirst('main/tunnel/log-parser.ts', files).map(({ path }) => path)).toEqual([
    'main/tunnel/log-parser.test.ts',
    'main/tunnel/log-failures.test.ts',
    'main/tunnel/wire.test.ts',
    'main/tunnel/traffic.test.ts',
    'main/tunnel/starts-program.test.ts',
  ])
  const starting = [
    { path: 'main/helper-tunnel.test.ts', isRelated: false, ms: 1 },
    { path: 'main/helper-kill-switch.test.ts', isRelated: false, ms: 2 },
  ]
  expect(nearestFirst('helper/killswitch_linux.go', starting)[0]?.path).toBe(
    'main/helper-kill-switch.test.ts',
  )
})

it('takes tests for passed only if all of them have run', () => {
  const file = { path: 'main/a.test.ts', isOk: true, failed: [] }
  const run = { files: [file], unfinished: 0, errors: [] }
  expect(failureOf(run)).toEqual({})
  expect(failureOf({ ...run, unfinished: 2 })).toEqual({ text: 'the run ends before 2 test files do' })
  // A test that ends the run, before its file has failed.
  expect(failureOf({ ...run, files: [{ ...file, failed: ['is 1'] }], unfinished: 2 })).toEqual({
    text: 'main/a.test.ts > is 1',
    file: 'main/a.test.ts',
  })
  expect(failureOf({ ...run, files: [{ ...file, isOk: false }] })).toEqual({
    text: 'main/a.test.ts',
    file: 'main/a.test.ts',
  })
  expect(failureOf({ ...run, errors: ['Error: write EPIPE\nat a.ts'] })).toEqual({
    text: 'Error: write EPIPE at a.ts',
  })
})
