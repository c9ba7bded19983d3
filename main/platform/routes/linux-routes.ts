import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { z } from 'zod'
import { parseJson } from '../../json'
import { addressNumber, contains, prefixRange, rangesOf } from './address-range'
import { boundaries, boundaryAddress } from './boundaries'
import { readMainTable } from './linux-main-table'
import {
  local,
  type RouteReader,
  type RouteReading,
  type SystemRoute,
  uniteHops,
  type Way,
} from './route-reader'
import { resultWithin } from '../child-process/result-within'

const hop = z.object({ dev: z.string().optional() })
const tableRow = z.object({
  type: z.string().default('unicast'),
  dst: z.string(),
  dev: z.string().optional(),
  gateway: z.string().optional(),
  via: z.unknown().optional(),
  protocol: z.string().optional(),
  prefsrc: z.string().optional(),
  /** Shown for IPv6 alone. */
  pref: z.unknown().optional(),
  table: z.string().optional(),
  metric: z.number().optional(),
  tos: z.unknown().optional(),
  nexthops: z.array(hop).optional(),
})
const tableRows = z.array(tableRow)
/** A rule; only those without conditions, or with these alone, decide for every packet of an address. */
const rules = z.array(z.looseObject({ dst: z.string().optional(), dstlen: z.number().optional() }))
/** Conditions that a packet's address, sender and mark don't show, so that no look-up of an address tells its way. */
const hidden = ['ipproto', 'sport', 'sport_start', 'dport', 'dport_start', 'tos', 'dsfield']
const answers = z.tuple([
  z.object({
    type: z.string().default('unicast'),
    dst: z.string(),
    dev: z.string().optional(),
    error: z.number().optional(),
  }),
])

const environment = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' }
const timeoutMs = 5000
/** The answer to it marks the end of the answers before, which may be missing. */
const end = 'link show dev lo'
const isEnd = z.tuple([z.looseObject({ ifname: z.literal('lo') })])

const linkLocal = /^fe[89ab]/
const refusing = ['unreachable', 'blackhole', 'prohibit']

/**
 * Reads the routes of Linux with iproute2, whose `-batch` asks the kernel each question as it comes: first for all tables and
 * rules, then for the way of each address between their ends.
 *
 * @param command the program, with a prefix for another network namespace
 * @param mainTable reads the main table at once
 */
export function linuxRoutes(
  command: readonly [string, ...string[]] = ['ip'],
  mainTable: (() => RouteReading | undefined) | undefined = command.length === 1 ? readMainTable : undefined,
): RouteReader {
  return {
    ...(mainTable !== undefined && { readAtOnce: mainTable }),
    read: async () => {
      const batch = startBatch(command)
      try {
        return await readRoutes(batch, command)
      } finally {
        batch.end()
      }
    },
  }
}

async function readRoutes(
  batch: Batch,
  command: readonly [string, ...string[]],
): Promise<RouteReading | undefined> {
  const shown = await batch.ask(['rule show', 'route show table all'])
  const ipv4Rules = rules.safeParse(shown?.[0]).data
  const rows = tableRows.safeParse(shown?.[1]).data
  if (rows === undefined || ipv4Rules === undefined) return undefined
  // Rules of IPv6, which -batch can't show as well, matter only with tables of their own.
  const hasIpv6Tables = rows.some(
    ({ pref, table }) => pref !== undefined && table !== undefined && table !== 'local',
  )
  const ipv6Rules = hasIpv6Tables ? await readIpv6Rules(command) : []
  if (ipv6Rules === undefined) return undefined
  const allRules = [...ipv4Rules, ...ipv6Rules]
  const hiding = allRules.filter((rule) => hidden.some((name) => name in rule))
  if (rows.some(({ tos }) => tos !== undefined) || !hiding.every(isForHost)) return undefined

  const routes = uniteHops(rows.flatMap(toRoutes), ({ rank }) => rank)
  const ends = allRules.flatMap(({ dst, dstlen }) =>
    dst === undefined ? [] : [dstlen === undefined ? dst : `${dst}/${String(dstlen)}`],
  )
  const ranges = boundaries(rangesOf([...rows.map(prefixOf), ...ends]))
  if (ranges === undefined) return undefined
  const received = await batch.ask(ranges.map((range) => `route get ${boundaryAddress(range)}`))
  if (received === undefined) return undefined
  const found = new Map<string, Way['device']>()
  for (const answer of received) {
    const [row] = answers.safeParse(answer).data ?? []
    const address = row && addressNumber(row.dst)
    if (row === undefined || address === undefined) return undefined
    found.set(key(address), deviceOf(row))
  }
  const uncertain = new Set(hiding.flatMap(({ dst = '' }) => addressNumber(dst) ?? []).map(key))
  return {
    routes,
    ways: ranges.map((range) => {
      const start = key({ family: range.family, value: range.first })
      return { ...range, device: uncertain.has(start) ? otherDevice : found.get(start) }
    }),
  }
}

function key({ family, value }: { readonly family: number; readonly value: bigint }): string {
  return `${String(family)} ${String(value)}`
}

/** Stands for a device that may be another one than an address alone shows. */
const otherDevice = ''

/** A rule for one address, such as that for a tunnel's own server. */
function isForHost(rule: z.infer<typeof rules>[number]): boolean {
  const { dst, dstlen } = rule
  return !('not' in rule) && dstlen === undefined && dst !== undefined && addressNumber(dst) !== undefined
}

function deviceOf({ type, dev, error }: z.infer<typeof answers>[0]): Way['device'] {
  if (error !== undefined || refusing.includes(type)) return undefined
  return type === 'unicast' ? dev : local
}

function prefixOf({ dst, pref }: z.infer<typeof tableRow>): string {
  if (dst !== 'default') return dst
  return pref === undefined ? '0.0.0.0/0' : '::/0'
}

/** Returns the route of a row that leads out of this computer or refuses. Every device has its own way to its link-local addresses. */
function toRoutes(row: z.infer<typeof tableRow>): (SystemRoute & { readonly rank: string })[] {
  const { type, dev, nexthops, table = '', metric = 0 } = row
  const isRefusing = refusing.includes(type)
  if ((type !== 'unicast' && !isRefusing) || linkLocal.test(row.dst)) return []
  const devices = nexthops === undefined ? [dev] : nexthops.map((each) => each.dev)
  return [
    {
      prefix: prefixOf(row),
      devices: isRefusing ? [] : [...new Set(devices.filter((each) => each !== undefined))],
      connected: isConnected(row),
      rank: `${table} ${String(metric)}`,
    },
  ]
}

/** The network around an address of this computer, or that a router announced for this link. */
function isConnected(row: z.infer<typeof tableRow>): boolean {
  if (row.type !== 'unicast' || row.gateway !== undefined || row.via !== undefined) return false
  const network = prefixRange(prefixOf(row))
  const own = row.prefsrc === undefined ? undefined : prefixRange(row.prefsrc)
  return (
    row.protocol === 'kernel' ||
    row.protocol === 'ra' ||
    (network !== undefined && own !== undefined && contains(network, own))
  )
}

async function readIpv6Rules([program, ...words]: readonly [string, ...string[]]): Promise<
  z.infer<typeof rules> | undefined
> {
  const { execa } = await import('execa')
  const answer = await resultWithin(
    timeoutMs,
    execa(program, [...words, '-6', '-json', 'rule', 'show'], {
      env: environment,
      extendEnv: false,
      reject: false,
    }),
  )
  return answer?.failed === false ? rules.safeParse(parseJson(answer.stdout)).data : undefined
}

interface Batch {
  /** Returns the answers, without those of the kernel's errors; undefined if the process has ended, or takes too long. */
  ask(questions: readonly string[]): Promise<readonly unknown[] | undefined>
  end(): void
}

function startBatch([program, ...words]: readonly [string, ...string[]]): Batch {
  const child: ChildProcessByStdio<Writable, Readable, null> = spawn(
    program,
    [...words, '-json', '-force', '-batch', '-'],
    { env: environment, stdio: ['pipe', 'pipe', 'ignore'] },
  )
  let running = true
  let onLine: (line: string) => void = () => undefined
  let onEnd: () => void = () => undefined
  const lines = createInterface({ input: child.stdout })
  const ended = (): void => {
    running = false
    onEnd()
  }
  lines.on('line', (line) => {
    onLine(line)
  })
  lines.on('close', ended)
  child.on('error', ended)
  child.stdin.on('error', () => undefined)
  const kill = (): void => {
    child.stdin.end()
    child.kill('SIGKILL')
    child.stdout.destroy()
    ended()
  }
  return {
    ask: (questions) =>
      new Promise((resolve) => {
        const received: unknown[] = []
        const late = setTimeout(kill, timeoutMs)
        const finish = (answers?: readonly unknown[]): void => {
          clearTimeout(late)
          onEnd = () => undefined
          resolve(answers)
        }
        onEnd = () => {
          finish()
        }
        onLine = (line) => {
          const answer = parseJson(line)
          if (isEnd.safeParse(answer).success) finish(received)
          else received.push(answer)
        }
        if (running) child.stdin.write(`${[...questions, end].join('\n')}\n`)
        else finish()
      }),
    end: () => {
      child.stdin.end()
    },
  }
}
