import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { expect, it, onTestFinished } from 'vitest'
import { lifelineWords, unlessOrphaned, untilTied } from './lifeline'

it.runIf((await lifelineWords()).length > 0)(
  'the kernel ends a program on the lifeline when the process that started it is killed',
  async () => {
    const lifeline = new URL('lifeline.ts', import.meta.url)
    const script = `
      const { afterLifeline, lifelineWords } = await import('${lifeline.href}')
      const [program, ...words] = afterLifeline(await lifelineWords(), 'sh', '-c', 'echo begun; exec sleep 600')
      const child = (await import('node:child_process')).spawn(program, words, { stdio: ['ignore', 'pipe', 'inherit'] })
      child.stdout.once('data', () => process.kill(process.pid, 'SIGKILL'))`
    // The child inherits this stderr, which ends when the child has ended too.
    const { signal, stderr } = await execa(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '--eval', script],
      { reject: false },
    )
    expect(signal).toBe('SIGKILL')
    expect(stderr).toBe('')
  },
)

it.runIf(process.platform !== 'win32')('a program does not start if its parent died first', async () => {
  const [shell, ...words] = unlessOrphaned('echo', 'begun')
  expect((await execa(shell, words)).stdout).toBe('begun')
  // The parent is the shell in between, which stays for its next command.
  const { stdout, exitCode } = await execa('/bin/sh', ['-c', '"$@"; exit', 'sh', shell, ...words], {
    reject: false,
  })
  expect(stdout).toBe('')
  expect(exitCode).toBe(1)
})

it.runIf(process.platform === 'linux')('waits until setpriv has become the program', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-lifeline-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const slow = join(folder, 'setpriv')
  await writeFile(slow, '#!/bin/sh\necho begun\nread -r _\nexec cat\n', { mode: 0o700 })
  const child = spawn(slow, { stdio: 'pipe' })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(child.stdout, 'data')

  let tied = false
  const becoming = untilTied(child.pid ?? 0).then(() => {
    tied = true
  })
  for (let looks = 0; looks < 5; looks += 1)
    expect(await readFile(`/proc/${child.pid}/comm`, 'utf8')).toBe('setpriv\n')
  expect(tied).toBe(false)
  const echoed = once(child.stdout, 'data')
  child.stdin.write('go on\nhere')
  await becoming
  await echoed
})

it('stops waiting for a process that has ended', async () => {
  const child = spawn(process.execPath, ['--version'])
  await once(child, 'close')
  await untilTied(child.pid ?? 0)
})
