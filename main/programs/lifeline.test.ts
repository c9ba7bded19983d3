import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { untilTied } from './lifeline'

it.runIf(process.platform === 'linux')(
  'a program is not tied to this process while it is still the program before it',
  async () => {
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
  },
)

it('a process that is gone is waited for no longer', async () => {
  const child = spawn(process.execPath, ['--version'])
  await once(child, 'close')
  await untilTied(child.pid ?? 0)
})
