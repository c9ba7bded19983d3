import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { asksNobody, startTerminalAgent } from './terminal-agent'

/** Polkit on a computer with a terminal, where somebody has to enter a password. */
async function computer() {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-terminal-agent-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const program = async (name: string, script: string): Promise<string> => {
    const path = join(folder, name)
    await writeFile(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    return path
  }
  const started = join(folder, 'started')
  await writeFile(started, '')
  return {
    agent: await program('agent', `echo $$ >'${started}'\nexec 3>&-\nexec sleep 60`),
    pkcheck: await program('pkcheck', 'exit 2'),
    inTerminal: () => true,
    started: async () => Number(await readFile(started, 'utf8')),
  }
}

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

it.runIf(process.platform === 'linux')('asks in the terminal until it is ended', async () => {
  const { started, ...rest } = await computer()
  const end = await startTerminalAgent('pkexec', rest)
  const pid = await started()
  expect(isRunning(pid)).toBe(true)
  end?.()
  await vi.waitFor(() => {
    expect(isRunning(pid)).toBe(false)
  })
})

it.runIf(process.platform === 'linux').each([
  ['another program asks', 'sudo', {}],
  ['no terminal can ask', 'pkexec', { inTerminal: () => false }],
  ['there is no agent', 'pkexec', { agent: '/nonexistent/agent' }],
  ['no password is needed', 'pkexec', { pkcheck: '/bin/true' }],
  ['polkit gives no answer', 'pkexec', { pkcheck: '/bin/false' }],
] as const)('does not start where %s', async (_why, elevation, other) => {
  const { started, ...rest } = await computer()
  const end = await startTerminalAgent(elevation, { ...rest, ...other })
  end?.()
  expect(end).toBeUndefined()
  expect(await started()).toBe(0)
})

it.runIf(process.platform === 'linux').each([
  ['/bin/true', true],
  ['/bin/false', false],
] as const)('knows whether somebody would be asked by pkexec, where polkit says %s', async (pkcheck, is) => {
  expect(await asksNobody('pkexec', pkcheck)).toBe(is)
})

it.each([
  ['root', true],
  ['launchd', true],
  ['service', true],
  ['sudo', false],
  ['sudo-askpass', false],
] as const)('knows on every system whether somebody would be asked: %s', async (elevation, is) => {
  // Polkit, which only Linux has, has no say in it.
  expect(await asksNobody(elevation, '/nonexistent/pkcheck')).toBe(is)
})
