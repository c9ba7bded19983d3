import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from './temporary-folder'

it('is deleted with its files, and with the last one the folder around it', () => {
  const first = temporaryFolder('one')
  const second = temporaryFolder('two')
  expect(dirname(first.path)).toBe(dirname(second.path))
  writeFileSync(join(first.path, 'file'), 'x')
  first.remove()
  first.remove()
  expect([existsSync(first.path), existsSync(second.path)]).toEqual([false, true])
  second.remove()
  expect(existsSync(second.path)).toBe(false)
})

it('deletes the folders of killed mocks', () => {
  const { pid } = spawnSync(process.execPath, ['-e', ''])
  const leftover = join(tmpdir(), `causeway-mock-${pid}-abcdef`)
  mkdirSync(join(leftover, 'tls-abcdef'), { recursive: true })
  // Folders of other mocks in this process may be open: only the first one looks for leftovers.
  const script = `import('./mock-server/state/temporary-folder.ts').then((m) => m.temporaryFolder('x').remove())`
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', '-e', script])
  expect([status, existsSync(leftover)]).toEqual([0, false])
})
