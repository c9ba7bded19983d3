import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const folders = { proxyguard: '../wireguard', 'behind-process': '../behind' }

/** Returns the command of a server, which is bundled beside this module in the package (js) and for tests (mjs). */
function command(name: keyof typeof folders): string[] {
  const bundled = ['js', 'mjs']
    .map((ending) => join(import.meta.dirname, `${name}.${ending}`))
    .find((path) => existsSync(path))
  if (bundled !== undefined) return [process.execPath, bundled]
  return [process.execPath, '--import', 'tsx', join(import.meta.dirname, folders[name], `${name}.ts`)]
}

/** A server in a process of its own, because Node can't listen in another namespace. Orders and answers are messages. */
export class NamespaceProcess<Order extends object> {
  readonly #child: ChildProcess
  readonly #waiting: ((error?: Error) => void)[] = []

  /** Starts the process. `prefix` precedes its command, to run it in a namespace. */
  constructor(
    name: keyof typeof folders,
    prefix: string[],
    onEvent: (message: object) => void = () => undefined,
  ) {
    const [program = '', ...parameters] = [...prefix, ...command(name)]
    // tsx is found from the folder of the module.
    const child = spawn(program, parameters, {
      cwd: import.meta.dirname,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    this.#child = child
    const fail = () => {
      for (const settle of this.#waiting.splice(0)) settle(new Error(`The process ${name} has ended.`))
    }
    child.on('error', fail).once('disconnect', fail)
    child.on('message', (message: object) => {
      if ('done' in message) this.#waiting.shift()?.()
      else if ('failed' in message) this.#waiting.shift()?.(new Error(`${name}: ${String(message.failed)}`))
      else onEvent(message)
    })
  }

  obey(order: Order): Promise<void> {
    return new Promise((resolve, reject) => {
      if (!this.#child.connected) reject(new Error('The process has ended.'))
      this.#waiting.push((error) => {
        if (error === undefined) resolve()
        else reject(error)
      })
      this.#child.send(order)
    })
  }

  stop(): Promise<void> {
    return end(this.#child, 'SIGKILL')
  }
}

/** Ends a child process, unless it has ended, and waits for its end. */
export async function end(child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill(signal)
  await ended
}
