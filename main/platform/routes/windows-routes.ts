import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { parseJson } from '../../json'
import { type WindowsHelper, windowsHelper } from '../child-process/windows-helper'
import { rangesOf } from './address-range'
import { boundaries, boundaryAddress } from './boundaries'
import { local, type RouteReader, type RouteReading, type Way } from './route-reader'

const table = z.object({
  routes: z.array(z.object({ prefix: z.string(), device: z.string(), connected: z.boolean() })),
})
/** `device` is missing for an address that can't be reached. */
const answer = z.object({ address: z.string(), device: z.string().optional(), local: z.boolean().optional() })

const timeoutMs = 5000

/** Reads the routes of Windows with Causeway's helper, which asks the system for each address (docs/helper.md). */
export function windowsRoutes(helper: WindowsHelper = windowsHelper): RouteReader {
  return { read: () => readRoutes(helper('routes')) }
}

async function readRoutes([program, ...words]: ReturnType<WindowsHelper>): Promise<RouteReading | undefined> {
  const child = spawn(program, words, { stdio: ['pipe', 'pipe', 'ignore'], windowsHide: true })
  const late = AbortSignal.timeout(timeoutMs)
  const lines = createInterface({ input: child.stdout })
  const answers = lines[Symbol.asyncIterator]()
  const next = async (): Promise<unknown> => {
    const { value, done } = await answers.next()
    return done === true ? undefined : parseJson(value)
  }
  const stop = (): void => {
    child.kill()
    // Its end may never come: another process can have the output too.
    lines.close()
    child.stdout.destroy()
  }
  late.addEventListener('abort', stop)
  child.on('error', stop)
  child.stdin.on('error', () => undefined)
  try {
    const shown = table.safeParse(await next()).data
    const ranges = shown && boundaries(rangesOf(shown.routes.map(({ prefix }) => prefix)))
    if (shown === undefined || ranges === undefined) return undefined
    child.stdin.end(ranges.map((range) => `${boundaryAddress(range)}\n`).join(''))
    const ways: Way[] = []
    for (const range of ranges) {
      const way = answer.safeParse(await next()).data
      if (way?.address !== boundaryAddress(range)) return undefined
      ways.push({ ...range, device: way.local === true ? local : way.device })
    }
    return {
      routes: shown.routes.map(({ prefix, device, connected }) => ({ prefix, devices: [device], connected })),
      ways,
    }
  } finally {
    late.removeEventListener('abort', stop)
    stop()
  }
}
