import { readFile } from 'node:fs/promises'
import type { Readable, Writable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { execa } from 'execa'
import { z } from 'zod'
import { childrenOf } from './terminal'

const longestMs = 60_000

const message = z.object({
  id: z.number().optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
})
const targetInfo = z.object({ type: z.string(), url: z.string() })
const attached = z.object({ sessionId: z.string(), targetInfo })
const changed = z.object({ targetInfo })
const evaluated = z.object({ result: z.object({ value: z.number() }) })

/**
 * Returns when the page became interactive, in milliseconds since the epoch: the first enabled button is painted, and
 * the scripts that drew it have finished. Uses the page's own timestamps, so that polling does not distort them.
 */
const whenInteractive = `new Promise((resolve) => {
  const tasks = []
  new PerformanceObserver((list) => tasks.push(...list.getEntries())).observe({ type: 'longtask', buffered: true })
  const look = () => {
    const [painted] = performance.getEntriesByName('first-contentful-paint')
    if (painted === undefined || document.querySelector('button:enabled') === null) {
      setTimeout(look, 20)
      return
    }
    setTimeout(() => {
      const ends = tasks
        .filter(({ startTime }) => startTime <= painted.startTime)
        .map(({ startTime, duration }) => startTime + duration)
      resolve(performance.timeOrigin + Math.max(painted.startTime, ...ends))
    }, 200)
  }
  look()
})`

/**
 * Starts Electron with these arguments, and ends it `stayMs` after it becomes interactive. Returns the milliseconds
 * from spawn until it is interactive, and the memory of all its processes at the end, in which what they share counts once.
 */
export async function launchWindow(
  electron: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  stayMs = 0,
): Promise<{ readonly ms: number; readonly bytes: number }> {
  const began = Date.now()
  const app = execa(electron, ['--remote-debugging-pipe', ...args], {
    env,
    stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    buffer: false,
    reject: false,
    timeout: longestMs,
  })
  const at = await askPage(app.stdio[3] as unknown as Writable, app.stdio[4])
  await delay(stayMs)
  const bytes = await memoryOf(app.pid ?? 0)
  app.kill()
  await app
  return { ms: at - began, bytes }
}

async function memoryOf(id: number): Promise<number> {
  const shares = await Promise.all(
    [id, ...(await childrenOf(id))].map(async (each) => {
      const text = await readFile(`/proc/${String(each)}/smaps_rollup`, 'utf8').catch(() => '')
      return 1024 * Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0)
    }),
  )
  return shares.reduce((sum, share) => sum + share, 0)
}

/**
 * Queries the first page over the debugging pipe, again after each navigation. Skips the initial empty page: a query
 * would create a script context there, with all preloads of Electron and the app.
 */
async function askPage(commands: Writable, answers: Readable): Promise<number> {
  let page: string | undefined
  let sent = 0
  const send = (method: string, params: object): number => {
    sent += 1
    commands.write(`${JSON.stringify({ id: sent, method, params, sessionId: page })}\0`)
    return sent
  }
  const ask = (): number =>
    send('Runtime.evaluate', { expression: whenInteractive, awaitPromise: true, returnByValue: true })
  let question: number | undefined
  send('Target.setDiscoverTargets', { discover: true })
  send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: true })
  let rest = ''
  for await (const chunk of answers) {
    const parts = `${rest}${String(chunk)}`.split('\0')
    rest = parts.pop() ?? ''
    for (const part of parts) {
      const { id, method, params, result } = message.parse(JSON.parse(part))
      if (method === 'Target.attachedToTarget') {
        const { sessionId, targetInfo: target } = attached.parse(params)
        if (target.type !== 'page') continue
        page = sessionId
        if (isLoaded(target)) question = ask()
      } else if (method === 'Target.targetInfoChanged') {
        if (page !== undefined && question === undefined && isLoaded(changed.parse(params).targetInfo))
          question = ask()
      } else if (question !== undefined && id === question) {
        const value = evaluated.safeParse(result).data?.result.value
        if (value !== undefined) return value
        question = ask()
      }
    }
  }
  throw new Error('Electron ended before its page could be used')
}

function isLoaded({ type, url }: z.infer<typeof targetInfo>): boolean {
  return type === 'page' && url !== '' && url !== 'about:blank'
}
