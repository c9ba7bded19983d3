import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { serial } from '../../serial'
import { isChange, readMacosWaysOut } from './macos-default-routes'
import type { NetworkEvent, NetworkEvents } from './network-events'
import { eventBetween, type DefaultRoutes } from './default-routes'

/** Routes, interfaces and addresses change in bursts, after which they are looked at. */
const settleMs = 300

const environment = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' }

/** The end of its input, which is this process's end too, ends the program; macOS has no other tie between them. */
const untilInputEnds = '"$@" </dev/null & child=$!; read -r _; kill "$child"'

export interface MacosPrograms {
  readonly route: string
  readonly netstat: string
}

/**
 * The network as macOS tells of it: `route -n monitor` runs while somebody watches, and after its lines the default routes
 * are looked at. Without these programs there are no events.
 */
export function macosNetworkEvents(
  programs: MacosPrograms = { route: '/sbin/route', netstat: '/usr/sbin/netstat' },
): NetworkEvents {
  return {
    watch: (listener) => {
      const stop = new AbortController()
      void follow(programs, listener, stop.signal)
      return () => {
        stop.abort()
      }
    },
  }
}

async function follow(
  { route, netstat }: MacosPrograms,
  listener: (event: NetworkEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  const { execa } = await import('execa')
  const options = { env: environment, extendEnv: false, reject: false } as const
  const ask = async (family: string): Promise<string> =>
    (await execa(netstat, ['-rn', '-f', family], { ...options, cancelSignal: signal, timeout: 5000 })).stdout
  const look = async (): Promise<DefaultRoutes | undefined> =>
    readMacosWaysOut(await ask('inet'), await ask('inet6'))

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

  let known: DefaultRoutes | undefined
  const lookAgain = async (): Promise<void> => {
    const found = await look()
    if (signal.aborted || found === undefined) return
    const event = known === undefined ? undefined : eventBetween(known, found)
    known = found
    if (event !== undefined) listener(event)
  }
  const inTurn = serial()
  void inTurn(lookAgain)
  let burst: NodeJS.Timeout | undefined
  const lines = createInterface({ input: monitor.stdout })
  lines.on('line', (line) => {
    if (!isChange(line)) return
    burst ??= setTimeout(() => {
      burst = undefined
      // One after another, so that an older look never comes after a newer one.
      void inTurn(lookAgain)
    }, settleMs)
  })
  await once(lines, 'close')
  clearTimeout(burst)
  await Promise.all([monitor, inTurn(() => undefined)])
}
