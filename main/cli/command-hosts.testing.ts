import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { inject } from 'vitest'
import type { HostedOutcome, HostedRun } from './command-host.testing'

const idle: ChildProcess[] = []

/**
 * Runs the command in a process that has run others before (command-host.testing.ts). Such a process runs one command at a
 * time. If the command doesn't end within the limit, or ends the process, the status is that of the process.
 */
export async function runHosted(
  run: HostedRun,
  limitMs: number,
): Promise<Omit<HostedOutcome, 'status'> & { readonly status: number | undefined }> {
  const host = idle.pop() ?? startHost(run.env)
  const tooLate = setTimeout(() => host.kill('SIGKILL'), limitMs)
  const over = new AbortController()
  const first = Promise.race([once(host, 'message', over), once(host, 'exit', over)])
  host.send(run)
  const [received] = (await first) as [HostedOutcome | number | null]
  over.abort()
  clearTimeout(tooLate)
  if (typeof received !== 'object' || received === null)
    return { status: received ?? undefined, stdout: '', stderr: '' }
  idle.push(host)
  return received
}

function startHost(env: Readonly<Record<string, string>>): ChildProcess {
  // Its input stays open, like that of a command in its own process.
  const host = fork(inject('programs').commandHost, [], {
    execArgv: [],
    env: { ...env },
    stdio: ['pipe', 'ignore', 'inherit', 'ipc'],
  })
  // It ends with this worker.
  host.unref()
  host.channel?.unref()
  return host
}
