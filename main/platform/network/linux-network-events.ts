import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { serial } from '../../serial'
import { createNetworkEvents, type NetworkEvent, type NetworkEvents } from './network-events'
import { afterLifeline, lifelineWords, unlessOrphaned } from '../child-process/lifeline'
import { readDefaultRoutes, trackDefaultRoutes, type DefaultRoutes } from './default-routes'
import { resultWithin } from '../child-process/result-within'

interface Delays {
  /** After the last change: routes, links and addresses change in bursts. */
  readonly settleMs: number
  /** The longest one: changes that never end, such as those of a network's chatty router, must not hide all others. */
  readonly longestMs: number
}

/** The folders of iproute2 on Debian, Fedora, Arch and Alpine; the caller's PATH is not searched. */
const environment = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' }

/**
 * Reports network events on Linux through iproute2: `ip monitor` runs while there is a listener, and after each burst of
 * lines the default routes are read. Without iproute2 there are no events.
 *
 * @param command the program, with a prefix for another network namespace
 */
export function linuxNetworkEvents(
  command: readonly [string, ...string[]] = ['ip'],
  delays: Delays = { settleMs: 300, longestMs: 2000 },
): NetworkEvents {
  return createNetworkEvents((listener, signal) => follow(command, delays, listener, signal))
}

async function follow(
  command: readonly [string, ...string[]],
  { settleMs, longestMs }: Delays,
  listener: (event: NetworkEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  const { execa } = await import('execa')
  const [program, ...words] = command
  // From the root folder: the current one may have been deleted since the start, and then execa starts nothing.
  const place = { cwd: '/', env: environment, extendEnv: false } as const
  const options = { ...place, reject: false, cancelSignal: signal } as const
  const ask = async (...question: string[]): Promise<string> =>
    (await resultWithin(5000, execa(program, [...words, ...question], options)))?.stdout ?? ''
  const look = async (): Promise<DefaultRoutes | undefined> => {
    const [ipv4, ipv6, tunnels] = await Promise.all([
      ask('-json', '-4', 'route', 'show', 'default'),
      ask('-json', '-6', 'route', 'show', 'default'),
      ask('-json', 'link', 'show', 'type', 'tun'),
    ])
    return readDefaultRoutes(ipv4, ipv6, tunnels)
  }

  // Without the lifeline it would outlive a Causeway that is killed, until the next change of the network.
  const [tied, ...monitorWords] = afterLifeline(await lifelineWords(), ...unlessOrphaned(program, ...words))
  const monitor = execa(tied, [...monitorWords, 'monitor', 'link', 'address', 'route', 'rule'], {
    ...options,
    buffer: false,
    stderr: 'ignore',
  })
  const track = trackDefaultRoutes(listener, signal)
  const tellRoutes = (): void => {
    if (!signal.aborted) listener('routes')
  }
  track(await look())
  tellRoutes()
  let burst: NodeJS.Timeout | undefined
  let latest: NodeJS.Timeout | undefined
  const endBurst = (): void => {
    clearTimeout(burst)
    clearTimeout(latest)
    latest = undefined
  }
  const inTurn = serial()
  const lines = createInterface({ input: monitor.stdout })
  const lookAgain = (): void => {
    endBurst()
    tellRoutes()
    // In sequence, so that an older result never follows a newer one.
    void inTurn(async () => {
      track(await look())
    })
  }
  lines.on('line', () => {
    clearTimeout(burst)
    burst = setTimeout(lookAgain, settleMs)
    latest ??= setTimeout(lookAgain, longestMs)
  })
  await once(lines, 'close')
  endBurst()
  await Promise.all([monitor, inTurn(() => undefined)])
}
