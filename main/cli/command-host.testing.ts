import '../../contract/zod-without-eval'
import { setTimeout as delay } from 'node:timers/promises'
import { runCommand } from './run-command'

/**
 * A process in which tests run the terminal command many times, one after another, because starting Node.js and loading the
 * command and its HTTP client costs a hundred times as much as running it. See runHosted.
 */

export interface HostedRun {
  /** The script that the command believes to be. */
  readonly script: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

export interface HostedOutcome {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

/** Collects what is written to a stream of this process, and returns it as a text. */
function collect(stream: NodeJS.WriteStream): () => string {
  const chunks: Uint8Array[] = []
  stream.write = (chunk: string | Uint8Array, ...more: unknown[]): boolean => {
    chunks.push(Buffer.from(chunk))
    const written = more.at(-1)
    if (typeof written === 'function') process.nextTick(written)
    return true
  }
  return () => Buffer.concat(chunks).toString('utf8')
}

/** Waits until nothing is left that would keep a process of the command's own running. */
async function wouldEnd(before: readonly string[]): Promise<void> {
  for (;;) {
    const left = process.getActiveResourcesInfo()
    for (const resource of before) {
      const at = left.indexOf(resource)
      if (at >= 0) left.splice(at, 1)
    }
    if (left.length === 0) return
    await delay(2)
  }
}

/** The key under which Node.js stores the agent of its fetch. */
const agent = Symbol.for('undici.globalDispatcher.1')

interface Agent {
  readonly constructor: new () => Agent
  close(): Promise<void>
}

/** Closes the connections that fetch keeps, as the end of a process does. */
async function closeConnections(): Promise<void> {
  const globals = globalThis as { [agent]?: Agent }
  const used = globals[agent]
  if (used === undefined) return
  globals[agent] = new used.constructor()
  await used.close()
}

/** The variables that Node.js passes on to every process on Windows, where sockets and folders need them. */
const ofEveryProcess =
  process.platform === 'win32'
    ? ['SYSTEMDRIVE', 'SYSTEMROOT', 'TEMP', 'USERDOMAIN', 'USERNAME', 'USERPROFILE', 'WINDIR']
    : []

async function run({ script, args, env }: HostedRun): Promise<HostedOutcome> {
  for (const name of Object.keys(process.env))
    if (!ofEveryProcess.includes(name.toUpperCase())) Reflect.deleteProperty(process.env, name)
  Object.assign(process.env, env)
  process.argv = [process.execPath, script, ...args]
  const stdout = collect(process.stdout)
  const stderr = collect(process.stderr)
  // Listed like a pipe in use as soon as it exists.
  process.stdin.pause()
  const before = process.getActiveResourcesInfo()
  await runCommand()
  await wouldEnd(before)
  await closeConnections()
  return { status: Number(process.exitCode ?? 0), stdout: stdout(), stderr: stderr() }
}

process.on('disconnect', () => process.exit())
process.on('message', (given: HostedRun) => {
  void run(given).then((outcome) => {
    process.exitCode = undefined
    process.send?.(outcome)
  })
})
