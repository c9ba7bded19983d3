import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { serial } from '../../serial'
import { isChange, readMacosDefaultRoutes } from './macos-default-routes'
import { createNetworkEvents, type NetworkEvent, type NetworkEvents } from './network-events'
import { trackDefaultRoutes, type DefaultRoutes } from './default-routes'
import { resultWithin } from '../child-process/result-within'

/** Delay after the first change: routes, interfaces and addresses change in bursts. */
const settleMs = 300

const environment = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' }

/** Ends the program at the end of its input, also when this process dies; macOS has no other way. */
const untilInputEnds = '"$@" </dev/null & child=$!; read -r _; kill "$child"'

interface MacosPrograms {
  readonly route: string
  readonly netstat: string
}

/**
 * Reports network events on macOS: `route -n monitor` runs while there is a listener, and after its lines the default
 * routes are read. Without these programs there are no events.
 */
export function macosNetworkEvents(
  programs: MacosPrograms = { route: '/sbin/route', netstat: '/usr/sbin/netstat' },
): NetworkEvents {
  return createNetworkEvents((listener, signal) => follow(programs, listener, signal))
}

async function follow(
  { route, netstat }: MacosPrograms,
  listener: (event: NetworkEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  const { execa } = await import('execa')
  const options = { env: environment, extendEnv: false, reject: false } as const
  const ask = async (family: string): Promise<string> =>
    (await resultWithin(5000, execa(netstat, ['-rn', '-f', family], { ...options, cancelSignal: signal })))
      ?.stdout ?? ''
  const look = async (): Promise<DefaultRoutes | undefined> =>
    readMacosDefaultRoutes(await ask('inet'), await ask('inet6'))

  const monitor = execa('/bin/sh', ['-c', untilInputEnds, 'sh', route, '-n', 'monitor'], {
    ...options,
    buffer: false,
    stdin: 'pipe',
    stderr: 'ignore',
  })
  monitor.stdin.on('error', () => undefined)
  signal.addEventListener('abort', () => {
    monitor.stdin.end()
  })

  const track = trackDefaultRoutes(listener, signal)
  const lookAgain = async (): Promise<void> => {
    if (!signal.aborted) listener('routes')
    track(await look())
  }
  const inTurn = serial()
  void inTurn(lookAgain)
  let burst: NodeJS.Timeout | undefined
  const lines = createInterface({ input: monitor.stdout })
  lines.on('line', (line) => {
    if (!isChange(line)) return
    burst ??= setTimeout(() => {
      burst = undefined
      // In sequence, so that an older result never follows a newer one.
      void inTurn(lookAgain)
    }, settleMs)
  })
  await once(lines, 'close')
  clearTimeout(burst)
  await Promise.all([monitor, inTurn(() => undefined)])
}
