import { ChildProcess } from 'node:child_process'
import { EventEmitter } from 'node:events'
import { readdir, readlink } from 'node:fs/promises'
import { Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { queryObjects } from 'node:v8'

/** What this process holds, by name; bytes, or numbers of things. */
export type Resources = Readonly<Record<string, number>>

/** What a listener, a wait or a connection that is never released leaves on the heap. */
const kinds = {
  functions: Function,
  promises: Promise,
  'abort signals': AbortSignal,
  emitters: EventEmitter,
  sockets: Socket,
  'child processes': ChildProcess,
  maps: Map,
  sets: Set,
} as const

/** Reads what this process holds, without garbage. It has to run with --expose-gc. */
export async function ownResources(): Promise<Resources> {
  if (gc === undefined) throw new Error('Memory can be measured with --expose-gc only.')
  // Weak references and finalizers keep some of it until the second time.
  for (let time = 0; time < 2; time += 1) {
    // Not with `execution: 'async'`: Node.js keeps its promise for good.
    gc()
    await setImmediate()
  }
  const { heapUsed, external, rss } = process.memoryUsage()
  const objects = Object.entries(kinds).map(
    ([name, kind]) => [name, queryObjects(kind, { format: 'count' })] as const,
  )
  const listeners = process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0)
  return {
    heap: heapUsed,
    'memory outside the heap': external,
    'resident memory': rss,
    ...(await openFiles()),
    ...countsOf(process.getActiveResourcesInfo().map((name) => `active ${name}`)),
    ...Object.fromEntries(objects),
    'listeners of the process': listeners,
  }
}

/** Returns the numbers of open files by kind. */
async function openFiles(): Promise<Resources> {
  const targets = await Promise.all(
    (await readdir('/proc/self/fd')).map((name) =>
      // The folder itself is closed by now.
      readlink(`/proc/self/fd/${name}`).catch(() => undefined),
    ),
  )
  const named = targets.filter((target) => target !== undefined)
  return countsOf(
    named.map((target) => `open ${target.startsWith('/') ? 'file' : target.replace(/:.*/, '')}`),
  )
}

function countsOf(names: readonly string[]): Resources {
  const counts: Record<string, number> = {}
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}
