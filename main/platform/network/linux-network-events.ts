import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { serial } from '../../serial'
import type { NetworkEvent, NetworkEvents } from './network-events'
import { afterLifeline, lifelineWords, unlessOrphaned } from '../child-process/lifeline'
import { eventBetween, readWaysOut, type DefaultRoutes } from './default-routes'

/** Routes, links and addresses change in bursts, of which the end counts. */
const settleMs = 300

/** Where Debian, Fedora, Arch and Alpine have it; nothing is searched in the caller's PATH. */
const environment = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C' }

/**
 * The network as Linux tells of it through iproute2: `ip monitor` runs while somebody watches, and after each burst of
 * its lines the default routes are looked at. Without iproute2 there are no events.
 *
 * @param command the program with what stands before it, for another network namespace
 */
export function linuxNetworkEvents(command: readonly [string, ...string[]] = ['ip']): NetworkEvents {
  return {
    watch: (listener) => {
      const stop = new AbortController()
      void follow(command, listener, stop.signal)
      return () => {
        stop.abort()
      }
    },
  }
}

async function follow(
  command: readonly [string, ...string[]],
  listener: (event: NetworkEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  const { execa } = await import('execa')
  const [program, ...words] = command
  const options = { env: environment, extendEnv: false, reject: false, cancelSignal: signal } as const
  const ask = async (...question: string[]): Promise<string> =>
    (await execa(program, [...words, ...question], { ...options, timeout: 5000 })).stdout
  const look = async (): Promise<DefaultRoutes | undefined> =>
    readWaysOut(
      await ask('-json', '-4', 'route', 'show', 'default'),
      await ask('-json', '-6', 'route', 'show', 'default'),
      await ask('-json', 'link', 'show', 'type', 'tun'),
    )

  // It would outlive a Causeway that is killed, until the next change of the network.
  const [tied, ...monitorWords] = afterLifeline(await lifelineWords(), ...unlessOrphaned(program, ...words))
  const monitor = execa(tied, [...monitorWords, 'monitor', 'link', 'address', 'route'], {
    ...options,
    buffer: false,
    stderr: 'ignore',
  })
  let known = await look()
  let burst: NodeJS.Timeout | undefined
  const inTurn = serial()
  const lookAgain = async (): Promise<void> => {
    const found = await look()
    if (signal.aborted || found === undefined) return
    const event = known === undefined ? undefined : eventBetween(known, found)
    known = found
    if (event !== undefined) listener(event)
  }
  const lines = createInterface({ input: monitor.stdout })
  lines.on('line', () => {
    clearTimeout(burst)
    burst = setTimeout(() => {
      // One after another, so that an older look never comes after a newer one.
      void inTurn(lookAgain)
    }, settleMs)
  })
  await once(lines, 'close')
  clearTimeout(burst)
  await Promise.all([monitor, inTurn(() => undefined)])
}
