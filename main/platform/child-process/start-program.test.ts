import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { execa } from 'execa'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { startProgram } from './start-program'

describe.skipIf(process.platform === 'win32')('a program with pipes', () => {
  it('gets its input and nothing but the given environment, and reports its exit', async () => {
    const program = startProgram(
      ['/bin/sh', '-c', 'cat; env | grep -v "^_=\\|^PWD=\\|^SHLVL=" >&2; exit 3'],
      {
        PATH: '/usr/bin:/bin',
        ONE: '1',
      },
    )
    program.stdin.end('input')
    expect(await Promise.all([text(program.stdout), text(program.stderr), program.ended])).toEqual([
      'input',
      expect.stringMatching(/^(?:PATH=\S+\nONE=1|ONE=1\nPATH=\S+)\n$/),
      { exitCode: 3 },
    ])
  })

  it('reports a program that could not be started as ended, with empty output', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'causeway-program-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const file = join(folder, 'not-executable')
    await writeFile(file, '')
    for (const path of [join(folder, 'missing'), file, '/bin/\0']) {
      const program = startProgram([path], {})
      program.stdin.write('input')
      program.kill('SIGTERM')
      expect(program.pid).toBeUndefined()
      expect(await Promise.all([program.ended, text(program.stdout), text(program.stderr)])).toEqual([
        {},
        '',
        '',
      ])
    }
  })

  it('kills a program that ignores the request to end', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const program = startProgram(
      ['/bin/sh', '-c', 'trap "echo asked" TERM; echo ready; while :; do read x; done'],
      {},
    )
    await once(program.stdout, 'data')
    program.kill('SIGTERM')
    await once(program.stdout, 'data')
    vi.advanceTimersByTime(5000)
    expect(await program.ended).toEqual({ signal: 'SIGKILL' })
  })

  it('is asked to end when this process exits', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'causeway-program-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const file = join(folder, 'asked')
    const module = new URL('start-program.ts', import.meta.url)
    const script = `
      const { startProgram } = await import('${module.href}')
      const shell = 'trap "echo >${file}; kill \\$!; exit" TERM; sleep 600 & echo ready; wait'
      const program = startProgram(['/bin/sh', '-c', shell], { PATH: '/usr/bin:/bin' })
      program.stdout.once('data', () => process.exit())`
    await execa(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', script])
    await vi.waitUntil(() => existsSync(file), { interval: 20 })
  })
})
