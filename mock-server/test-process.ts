import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { inject, onTestFinished } from 'vitest'
import type { MockServer } from './server'

/** Starts a mock on this data directory in its own process, and kills it at the end of the test. */
export async function startMockProcess(
  dataDir: string,
  ...options: string[]
): Promise<{ child: ChildProcess; server: MockServer }> {
  const parameters = ['--port', '0', '--data-dir', dataDir, '--json', ...options]
  const child = spawn(process.execPath, [inject('programs').mockServer, ...parameters], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
  return { child, server: JSON.parse(line) as MockServer }
}
