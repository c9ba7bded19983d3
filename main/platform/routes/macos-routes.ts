import { type Family, prefixRange, rangesOf } from './address-range'
import { boundaries, boundaryAddress } from './boundaries'
import { local, type RouteReader, type RouteReading, type SystemRoute, type Way } from './route-reader'
import { resultWithin } from '../child-process/result-within'

interface MacosPrograms {
  readonly route: string
  readonly netstat: string
}

const environment = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' }
const timeoutMs = 5000
/** `route` answers one question at a time, in two milliseconds or so. */
const maxQuestions = 512

/** Asks for the addresses in its arguments, in one process of this program's. */
const askEach =
  'route=$1; shift; for each; do echo "asked $each"; "$route" -n get ${each%%=*} "${each#*=}"; done'

/**
 * Reads the routes of macOS: `netstat -rn` lists them, and `route -n get` says which way the system sends an address.
 */
export function macosRoutes(
  programs: MacosPrograms = { route: '/sbin/route', netstat: '/usr/sbin/netstat' },
): RouteReader {
  return { read: () => readRoutes(programs) }
}

async function readRoutes({ route, netstat }: MacosPrograms): Promise<RouteReading | undefined> {
  const { execa } = await import('execa')
  const options = { env: environment, extendEnv: false, reject: false } as const
  const tables = await Promise.all(
    (['inet', 'inet6'] as const).map((family) =>
      resultWithin(timeoutMs, execa(netstat, ['-rn', '-f', family], options)),
    ),
  )
  const [ipv4, ipv6] = tables.map((table, index) => readTable(table?.stdout ?? '', index === 0 ? 4 : 6))
  if (ipv4 === undefined || ipv6 === undefined) return undefined
  const routes = [...ipv4, ...ipv6]
  const ranges = boundaries(rangesOf(routes.map(({ prefix }) => prefix)))
  if (ranges === undefined || ranges.length > maxQuestions) return undefined
  const questions = ranges.map(
    (range) => `${range.family === 4 ? '-inet' : '-inet6'}=${boundaryAddress(range)}`,
  )
  const output = execa('/bin/sh', ['-c', askEach, 'sh', route, ...questions], options)
  const answers = (await resultWithin(timeoutMs, output))?.stdout.split(/^asked .*$/m).slice(1)
  if (answers?.length !== ranges.length) return undefined
  return {
    routes,
    ways: ranges.map((range, index) => ({ ...range, device: deviceIn(answers[index] ?? '') })),
  }
}

/**
 * Reads the output of `netstat -rn` for one family. Routes of a single interface (flag I) serve only programs that ask for
 * them. Undefined for invalid output.
 */
export function readTable(text: string, family: Family): SystemRoute[] | undefined {
  const lines = text.split('\n')
  if (!lines.some((line) => line.startsWith('Routing tables'))) return undefined
  return lines.flatMap((line) => {
    const [destination = '', gateway = '', flags = '', device] = line.trim().split(/\s+/)
    const prefix = prefixOf(destination, family)
    if (prefix === undefined || device === undefined || flags.includes('I')) return []
    const refuses = flags.includes('R') || flags.includes('B')
    return [
      {
        prefix,
        devices: refuses ? [] : [device],
        connected: gateway.startsWith('link#') && flags.includes('C'),
      },
    ]
  })
}

/** Completes a destination as netstat shortens it: `default`, `10.99/16`, `192.168.1`, `fe80::%en0/64`. */
function prefixOf(destination: string, family: Family): string | undefined {
  if (destination === 'default') return family === 4 ? '0.0.0.0/0' : '::/0'
  const [address = '', length] = destination.replace(/%[^/]*/, '').split('/')
  const bytes = address.split('.')
  const whole = family === 4 ? [...bytes, '0', '0', '0'].slice(0, 4).join('.') : address
  const prefix = `${whole}/${length ?? String(family === 4 ? 8 * bytes.length : 128)}`
  return prefixRange(prefix)?.family === family ? prefix : undefined
}

function deviceIn(answer: string): Way['device'] {
  const device = /^ *interface: (\S+)$/m.exec(answer)?.[1]
  const flags = /^ *flags: <(.*)>$/m.exec(answer)?.[1]?.split(',') ?? []
  if (device === undefined || flags.includes('REJECT') || flags.includes('BLACKHOLE')) return undefined
  return device === 'lo0' ? local : device
}
