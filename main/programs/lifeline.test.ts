import { execa } from 'execa'
import { describe, expect, it } from 'vitest'
import { afterLifeline, lifelineWords } from './lifeline'

const [first = '', ...words] = await lifelineWords()

describe.runIf(first !== '')('a program on the lifeline', () => {
  it('is ended by the kernel when the process that started it is killed', async () => {
    const lifeline = new URL('lifeline.ts', import.meta.url)
    const script = `
      const { afterLifeline, lifelineWords } = await import('${lifeline.href}')
      const [program, ...words] = afterLifeline(await lifelineWords(), 'sh', '-c', 'echo begun; exec sleep 600')
      const child = (await import('node:child_process')).spawn(program, words, { stdio: ['ignore', 'pipe', 'inherit'] })
      child.stdout.once('data', () => process.kill(process.pid, 'SIGKILL'))`
    // The child inherits what is read here, which ends when the child, too, is gone.
    const { signal, stderr } = await execa(
      process.execPath,
      ['--import', 'tsx', '--input-type=module', '--eval', script],
      { reject: false },
    )
    expect(signal).toBe('SIGKILL')
    expect(stderr).toBe('')
  })

  it('does not begin where the process that started it was killed before the kernel was asked', async () => {
    const asChild = await execa(first, [...words, 'echo', 'begun'])
    expect(asChild.stdout).toBe('begun')
    // A process whose parent has died has another one.
    const asOrphan = await execa('/bin/sh', ['-c', '"$@"; exit', 'sh', first, ...words, 'echo', 'begun'], {
      reject: false,
    })
    expect(asOrphan.stdout).toBe('')
    expect(asOrphan.exitCode).toBe(1)
  })
})

it('without a lifeline a command is as it was', () => {
  expect(afterLifeline([], 'openvpn', '--version')).toEqual(['openvpn', '--version'])
})
