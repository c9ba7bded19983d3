import { join } from 'node:path'
import { execaNode } from 'execa'

const longestMs = 5 * 60_000

/** A server in a child process that communicates through messages. */
interface ChildServer {
  ask(message: string | number | Record<string, string>): Promise<unknown>
  end(): Promise<void>
}

/** Starts a script of this folder as a child process that can collect garbage on request. It is ended after `timeoutMs`; 0 for never. */
export function startChildServer(
  script: string,
  env: Readonly<Record<string, string>> = {},
  timeoutMs = longestMs,
): ChildServer {
  const child = execaNode(join(import.meta.dirname, script), {
    nodeOptions: [...process.execArgv, '--expose-gc'],
    ipc: true,
    env,
    stdio: 'inherit',
    timeout: timeoutMs,
    reject: false,
  })
  return {
    ask: async (message) => {
      const [answer] = await Promise.all([child.getOneMessage(), child.sendMessage(message)])
      return answer
    },
    end: async () => {
      child.kill()
      await child
    },
  }
}
