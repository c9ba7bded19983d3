import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { owner } from '../alive'
import { temporaryFolder } from './temporary-folder'

const inProcess = ['--import', 'tsx', '-e']
const module = `import('./mock-server/state/temporary-folder.ts')`

/** Folders of other mocks in this process may be open: only the first one looks for leftovers. Returns the exit status. */
function openAndClose(): number | null {
  const script = `${module}.then((m) => m.temporaryFolder('x').remove())`
  return spawnSync(process.execPath, [...inProcess, script]).status
}

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

it('deletes the folders of killed mocks, but none of a mock whose process it can not see', () => {
  const { pid } = spawnSync(process.execPath, ['-e', ''])
  const [, namespace = ''] = /^(\d+)-/.exec(owner) ?? []
  const leftover = join(tmpdir(), `causeway-mock-${namespace}-${pid}-abcdef`)
  // In a container with the same folder for temporary files, ids mean other processes.
  const inContainer = join(tmpdir(), `causeway-mock-${namespace}1-${pid}-abcdef`)
  mkdirSync(join(leftover, 'tls-abcdef'), { recursive: true })
  mkdirSync(inContainer)
  expect(openAndClose()).toBe(0)
  const left = [existsSync(leftover), existsSync(inContainer)]
  rmSync(inContainer, { recursive: true })
  expect(left).toEqual([false, true])
})

const separated = ['--pid', '--fork', '--mount-proc', '--kill-child']
const maySeparate = spawnSync('unshare', [...separated, 'true']).status === 0

it.runIf(maySeparate)('leaves alone a mock that runs in a PID namespace of its own', async () => {
  const script = `${module}.then((m) => { console.log(m.temporaryFolder('x').path); process.stdin.resume() })`
  // A process id that doesn't exist here.
  const { pid } = spawnSync(process.execPath, ['-e', ''])
  const shell = 'echo $(($1 - 1)) >/proc/sys/kernel/ns_last_pid; shift; "$@"; exit'
  const words = [String(pid), process.execPath, ...inProcess, script]
  const other = spawn('unshare', [...separated, 'sh', '-c', shell, 'sh', ...words])
  const path = await new Promise<string>((resolve) => {
    other.stdout.once('data', (written: Buffer) => {
      resolve(written.toString().trim())
    })
  })
  expect(openAndClose()).toBe(0)
  const isLeft = existsSync(path)
  other.kill('SIGKILL')
  await once(other, 'close')
  expect(isLeft).toBe(true)
})
