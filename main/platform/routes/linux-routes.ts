import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { z } from 'zod'
import { parseJson } from '../../json'
import {
  addressNumber,
  type AddressRange,
  contains,
  prefixLength,
  prefixRange,
  rangesOf,
} from './address-range'
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
  from: z.unknown().optional(),
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
const rules = z.array(
  z.looseObject({
    dst: z.string().optional(),
    dstlen: z.number().optional(),
    src: z.string().optional(),
    table: z.string().optional(),
    suppress_prefixlen: z.number().optional(),
  }),
)
type Rule = z.infer<typeof rules>[number]
/** Conditions that a packet's address, sender and mark don't show, so that no look-up of an address tells its way. */
const hidden = ['ipproto', 'sport', 'sport_start', 'dport', 'dport_start', 'tos', 'dsfield']
const answers = z.tuple([
  z.object({
    type: z.string().default('unicast'),
    dst: z.string(),
    dev: z.string().optional(),
    prefsrc: z.string().optional(),
    error: z.number().optional(),
  }),
])

/** The kernel adds the route to an address of IPv6 only later. */
const devices = z.array(
  z.object({ addr_info: z.array(z.object({ local: z.string().optional() })).optional() }),
)

const environment = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' }
const timeoutMs = 5000
/** The answer to it marks the end of the answers before, which may be missing. */
const end = 'link show dev lo'
const isEnd = z.tuple([z.looseObject({ ifname: z.literal('lo'), addr_info: z.undefined().optional() })])

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
    readAtOnce: mainTable,
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
  const shown = await batch.ask(['rule show', 'route show table all', 'address show'])
  const ipv4Rules = rules.safeParse(shown?.[0]).data
  const rows = tableRows.safeParse(shown?.[1]).data
  const addresses = devices.safeParse(shown?.[2]).data
  if (rows === undefined || ipv4Rules === undefined || addresses === undefined) return undefined
  // Rules of IPv6, which -batch can't show as well, matter only with tables of their own.
  const hasIpv6Tables = rows.some(
    ({ pref, table }) => pref !== undefined && table !== undefined && table !== 'local',
  )
  const ipv6Rules = hasIpv6Tables ? await readIpv6Rules(command) : []
  if (ipv6Rules === undefined) return undefined
  const allRules = [...ipv4Rules, ...ipv6Rules]
  const hiding = allRules.filter((rule) => hidden.some((name) => name in rule) && !isForDhcp(rule))
  if (rows.some(hidesItsWay) || !hiding.every(isForHost)) return undefined

  const own = rangesOf(
    addresses.flatMap(({ addr_info = [] }) => addr_info.map(({ local: address = '' }) => address)),
  )
  const routes = uniteHops(
    rows.flatMap((row) => toRoutes(row, own)),
    ({ table }) => table,
  )
  const ends = allRules.flatMap((rule) => toOf(rule) ?? [])
  const ranges = boundaries([...rangesOf(rows.map(prefixOf)), ...ends])
  if (ranges === undefined) return undefined
  const found = await waysTo(ranges.map(boundaryAddress), batch)
  if (found === undefined) return undefined
  const uncertain = new Set(hiding.flatMap(({ dst = '' }) => addressNumber(dst) ?? []).map(key))
  if (allRules.some(({ src = 'all' }) => src !== 'all')) {
    // TCP and connected sockets ask again with the address that they got from the first answer. The tunnel's is the server's
    // choice, which may be one for which this computer has a rule.
    const questions = [...found.values()].flatMap(({ to, prefsrc }) =>
      prefsrc === undefined ? [] : [`${to} from ${prefsrc}`],
    )
    const again = await waysTo(questions, batch)
    if (again === undefined) return undefined
    for (const [start, { device }] of again) if (device !== found.get(start)?.device) uncertain.add(start)
  }
  const hasPriority = gatewaysFirst(routes, [...ipv6Rules.filter(isForAll), { table: 'main' }])
  return {
    routes,
    ways: ranges.map((range) => {
      const start = key({ family: range.family, value: range.first })
      const device = found.get(start)?.device
      return { ...range, device: uncertain.has(start) || hasPriority(range, device) ? otherDevice : device }
    }),
  }
}

interface RouteAnswer {
  readonly to: string
  readonly device: Way['device']
  readonly prefsrc?: string | undefined
}

/** Returns the kernel's answers by their address; undefined for an answer that isn't one. */
async function waysTo(
  questions: readonly string[],
  batch: Batch,
): Promise<ReadonlyMap<string, RouteAnswer> | undefined> {
  const received = await batch.ask(questions.map((question) => `route get ${question}`))
  if (received === undefined) return undefined
  const found = new Map<string, RouteAnswer>()
  for (const answer of received) {
    const [row] = answers.safeParse(answer).data ?? []
    const address = row && addressNumber(row.dst)
    if (row === undefined || address === undefined) return undefined
    found.set(key(address), { to: row.dst, device: deviceOf(row), prefsrc: row.prefsrc })
  }
  return found
}

/** True for a row that doesn't tell by itself who goes where: by kind of service, by sender, or by an object of its own. */
function hidesItsWay({ type, tos, from, dev, nexthops }: z.infer<typeof tableRow>): boolean {
  return (
    tos !== undefined ||
    from !== undefined ||
    (type === 'unicast' && dev === undefined && nexthops === undefined)
  )
}

/** True for a rule that concerns packets without a mark, from any address and program of this computer. */
function isForAll(rule: Rule): boolean {
  return (
    'not' in rule ||
    ((rule.src ?? 'all') === 'all' && !['fwmark', 'iif', 'oif', 'uid_start'].some((name) => name in rule))
  )
}

/** Returns the destinations of a rule; undefined for one that is for all. */
function toOf({ dst, dstlen }: Rule): AddressRange | undefined {
  return dst === undefined ? undefined : prefixRange(dstlen === undefined ? dst : `${dst}/${String(dstlen)}`)
}

interface LinuxRoute extends SystemRoute {
  readonly table: string
  readonly metric: number
  readonly hasGateway: boolean
}

/**
 * Returns a function that tells whether a range of IPv6 goes through a device only for as long as the router of a better route
 * is silent: the kernel then takes the next one, even of a shorter prefix, and comes back without saying so.
 *
 * @param rules those for all packets, in the kernel's order: each can leave out the shortest prefixes of its table
 */
function gatewaysFirst(
  routes: readonly LinuxRoute[],
  rules: readonly Rule[],
): (range: AddressRange, device: Way['device']) => boolean {
  const ranged = routes.flatMap((route) => {
    const range = prefixRange(route.prefix)
    return range?.family === 6 && route.devices.length > 0
      ? [{ ...route, length: prefixLength(range), range }]
      : []
  })
  const rangedRules = rules.map((rule) => ({ ...rule, to: 'not' in rule ? undefined : toOf(rule) }))
  const behind = ranged.filter(({ hasGateway }) => hasGateway)
  return (range, device) => {
    if (typeof device !== 'string') return false
    const isAround = (route: (typeof ranged)[number]) => contains(route.range, range)
    if (!behind.some((route) => !route.devices.includes(device) && isAround(route))) return false
    const ranked = ranged
      .filter(isAround)
      .flatMap((route) => {
        const order = rangedRules.findIndex(
          ({ table, to, suppress_prefixlen: left = -1 }) =>
            table === route.table && route.length > left && (to === undefined || contains(to, range)),
        )
        return order < 0 ? [] : [{ ...route, order }]
      })
      .toSorted(
        (one, other) => one.order - other.order || other.length - one.length || one.metric - other.metric,
      )
    const used = ranked.findIndex((route) => route.devices.includes(device))
    return (used < 0 ? ranked : ranked.slice(0, used)).some(({ hasGateway }) => hasGateway)
  }
}

function key({ family, value }: { readonly family: number; readonly value: bigint }): string {
  return `${String(family)} ${String(value)}`
}

/** Stands for a device that may be another one than an address alone shows. */
const otherDevice = ''

/** A rule of the helper for what a DHCP client, which alone may use its port, sends to its server (helper/full_tunnel_linux.go). */
function isForDhcp(rule: Rule): boolean {
  const { ipproto, sport, dport } = rule
  // A small system has no list of their names (/etc/protocols).
  const isUdp = ipproto === 'udp' || ipproto === 'ipproto-17'
  return !('not' in rule) && isUdp && sport === 68 && dport === 67
}

/** A rule for one address, such as that for a tunnel's own server. */
function isForHost(rule: Rule): boolean {
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
function toRoutes(row: z.infer<typeof tableRow>, own: readonly AddressRange[]): LinuxRoute[] {
  const { type, dev, nexthops, table = 'main', metric = 0 } = row
  const isRefusing = refusing.includes(type)
  if ((type !== 'unicast' && !isRefusing) || linkLocal.test(row.dst)) return []
  const devices = nexthops === undefined ? [dev] : nexthops.map((each) => each.dev)
  return [
    {
      prefix: prefixOf(row),
      devices: isRefusing ? [] : [...new Set(devices.filter((each) => each !== undefined))],
      connected: isConnected(row, own),
      table,
      metric,
      hasGateway: row.gateway !== undefined || row.via !== undefined || nexthops !== undefined,
    },
  ]
}

/** The network around an address of this computer, or one peer. A router can announce any other network as one of the link. */
function isConnected(row: z.infer<typeof tableRow>, own: readonly AddressRange[]): boolean {
  if (row.type !== 'unicast' || row.gateway !== undefined || row.via !== undefined) return false
  const network = prefixRange(prefixOf(row))
  if (network === undefined) return false
  const isPeer = network.family === 4 && network.first === network.last
  if (!isPeer && !own.some((address) => contains(network, address))) return false
  const source = row.prefsrc === undefined ? undefined : prefixRange(row.prefsrc)
  return (
    row.protocol === 'kernel' || row.protocol === 'ra' || (source !== undefined && contains(network, source))
  )
}

async function readIpv6Rules([program, ...words]: readonly [string, ...string[]]): Promise<
  z.infer<typeof rules> | undefined
> {
  const { execa } = await import('execa')
  const answer = await resultWithin(
    timeoutMs,
    execa(program, [...words, '-6', '-json', 'rule', 'show'], {
      // The current folder may have been deleted since the start, and then execa starts nothing.
      cwd: '/',
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
