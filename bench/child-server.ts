import { join } from 'node:path'
import { execaNode } from 'execa'

const longestMs = 5 * 60_000

/** A server in a process of its own, which speaks with this one in messages. */
export interface ChildServer {
  ask(message: string | Record<string, string>): Promise<unknown>
  end(): Promise<void>
}

/** Starts one of the scripts beside this file; it can collect its garbage at will. */
export function startChildServer(script: string): ChildServer {
  const child = execaNode(join(import.meta.dirname, script), {
    nodeOptions: [...process.execArgv, '--expose-gc'],
    ipc: true,
    stdio: 'inherit',
    timeout: longestMs,
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
