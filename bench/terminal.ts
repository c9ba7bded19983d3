import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { type ResultPromise, execa } from 'execa'
import { createMockServer } from '../mock-server/server'
import { waitsOf } from './computer-traces'
import type { Figure } from './figure'
import { msOf, takeTurns } from './take-turns'

const command = join(import.meta.dirname, '..', 'out', 'main', 'cli.js')
const rounds = 20
const idleSeconds = 60
/** Clock ticks of /proc in a second, on Linux. */
const ticks = 100

/** Measures the built terminal command: its start beside Node.js, and what a connection costs at rest beside OpenVPN alone. */
export async function benchTerminal(folder: string): Promise<Figure[]> {
  const server = await createMockServer({ autoApprove: true, tunnel: 'openvpn', tunnelHooks: false })
  const options = {
    env: {
      CAUSEWAY_DATA_DIR: join(folder, 'terminal'),
      CAUSEWAY_SECRET_STORE: 'file',
      CAUSEWAY_BROWSER: 'curl -sLo /dev/null',
    },
  }
  const causeway = (...words: string[]) => execa(process.execPath, [command, ...words], options)
  try {
    await causeway('instance', 'add', server.instance)
    await causeway('login')
    const { node, version, status, completion } = await takeTurns(rounds, {
      node: () => msOf(() => execa(process.execPath, ['-e', '0'])),
      version: () => msOf(() => causeway('--version')),
      status: () => msOf(() => causeway('status')),
      completion: () => msOf(() => causeway('complete-values', 'profile')),
    })
    const beside = { what: 'node -e 0', values: node }
    const starts = {
      'causeway --version': version,
      'causeway status': status,
      'values for a completion of the shell': completion,
    }
    return [
      ...Object.entries(starts).map(([what, own]): Figure => ({
        what,
        unit: 'ms',
        own,
        beside,
        goal: { atMost: 2 },
        why: 'of what it takes beyond Node.js, a fifth compiles 0.8 MB of scripts, more than a fifth runs them (zod and 786 schemas are half of it), and the rest loads modules of Node.js, creates the services and reads the options. A cache of compiled scripts would have to be in a folder that every program of the user can change.',
      })),
      ...(await atRest(causeway('connect', 'internet', '--yes', '--json'))),
    ]
  } finally {
    await server.close()
  }
}

/** Measures the processes of a connection once it is up. */
async function atRest(run: ResultPromise<{ env: Record<string, string> }>): Promise<Figure[]> {
  try {
    for await (const line of createInterface({ input: run.stdout })) if (line.includes('"connected"')) break
    // Until what follows a connection is over.
    await wait(15_000)
    const openVpn = await childrenOf(run.pid ?? 0)
    const all = [run.pid ?? 0, ...openVpn]
    const before = await Promise.all([used(all), used(openVpn)])
    await wait(idleSeconds * 1000)
    const after = await Promise.all([used(all), used(openVpn)])
    const since = (field: keyof Used) =>
      after.map((now, index) => now[field] - (before[index]?.[field] ?? NaN))
    const [allTicks = NaN, openVpnTicks = NaN] = since('ticks')
    const [allSwitches = NaN, openVpnSwitches = NaN] = since('switches')
    const perHour = (count: number) => (count / ticks / idleSeconds) * 3600
    return [
      {
        what: 'processor time of a connection at rest, OpenVPN among it',
        unit: 's/h',
        own: [perHour(allTicks)],
        goal: { atMost: 10 },
      },
      { what: 'processor time of OpenVPN alone', unit: 's/h', own: [perHour(openVpnTicks)] },
      {
        what: 'wake-ups of Causeway beside OpenVPN at rest',
        unit: 'times a minute',
        own: [((allSwitches - openVpnSwitches) / idleSeconds) * 60],
        goal: { atMost: 60 },
      },
    ]
  } finally {
    run.kill('SIGINT')
    await run.catch(() => undefined)
  }
}

interface Used {
  readonly ticks: number
  readonly switches: number
}

/** Returns the processor time of processes in clock ticks, and how often their threads waited. */
async function used(ids: readonly number[]): Promise<Used> {
  let ticksUsed = 0
  for (const id of ids) {
    const stat = (await readFile(`/proc/${String(id)}/stat`, 'utf8')).replace(/^.*\) /, '').split(' ')
    ticksUsed += Number(stat[11]) + Number(stat[12])
  }
  return { ticks: ticksUsed, switches: await waitsOf(ids) }
}

/** Returns the processes that a process has started, and those that these have. */
export async function childrenOf(id: number): Promise<number[]> {
  const threads = await readdir(`/proc/${String(id)}/task`)
  const lists = await Promise.all(
    threads.map((thread) => readFile(`/proc/${String(id)}/task/${thread}/children`, 'utf8').catch(() => '')),
  )
  const children = lists.join(' ').split(/\s+/).filter(Boolean).map(Number)
  return [...children, ...(await Promise.all(children.map(childrenOf))).flat()]
}
