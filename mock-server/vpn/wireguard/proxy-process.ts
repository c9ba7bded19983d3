import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface, type Interface } from 'node:readline'
import type { ProxyOrder } from './proxy-orders'

/** Returns the command of proxyguard.ts, which is bundled beside this module in the package. */
function command(): string[] {
  const bundled = join(import.meta.dirname, 'proxyguard.js')
  if (existsSync(bundled)) return [process.execPath, bundled]
  return [process.execPath, '--import', 'tsx', join(import.meta.dirname, 'proxyguard.ts')]
}

/** A ProxyGuard server as a process. */
export class ProxyProcess {
  readonly #child: ChildProcess
  readonly #answers: Interface

  private constructor(child: ChildProcess, answers: Interface) {
    this.#child = child
    this.#answers = answers
  }

  /** Starts the process; `prefix` precedes its command, to run it in a namespace. */
  static start(prefix: string[]): ProxyProcess {
    const [program = '', ...parameters] = [...prefix, ...command()]
    // tsx is found from the folder of the module.
    const child = spawn(program, parameters, {
      cwd: import.meta.dirname,
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    child.stdin.on('error', () => undefined)
    return new ProxyProcess(child, createInterface({ input: child.stdout }))
  }

  /** Rejects if the process ends instead of obeying. */
  async obey(order: ProxyOrder): Promise<void> {
    const waiting = new AbortController()
    const { signal } = waiting
    const answered = once(this.#answers, 'line', { signal })
    const ended = once(this.#answers, 'close', { signal }).then(() => {
      throw new Error('The ProxyGuard server has ended.')
    })
    this.#child.stdin?.write(`${JSON.stringify(order)}\n`)
    try {
      await Promise.race([answered, ended])
    } finally {
      waiting.abort()
    }
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const ended = once(this.#child, 'exit')
    this.#child.kill('SIGKILL')
    await ended
  }
}
