import type { Command } from 'commander'
import { type ConnectionState, isNotYetConnected } from '../../../contract/connection'
import { isoTimes } from '../../connection/iso-times'
import type { TunnelUse } from '../../connection/lock/tunnel-lock'
import type { Services } from '../../app/services'
import type { TrafficSource } from '../../platform/traffic/traffic-source'
import { action } from '../context'
import { printableLine } from '../output'

export function addStatusCommands(program: Command): void {
  program
    .command('status')
    .description('show whether the VPN is connected, and which process connected it')
    .option('--watch', 'keep printing a line at each change, until Ctrl-C')
    .action(
      action<[{ readonly watch?: true }]>(async ({ services, terminal, signal }, { watch }) => {
        if (watch === true) {
          await watchStatus(services, signal, (use, blocked) => {
            const text = blocked ? `${describe(use)} ${trafficBlocked}` : describe(use)
            terminal.result(jsonOf(use, blocked), text, moods)
          })
          return
        }
        const use = await services.tunnel.use()
        const blocked = isBlocked(services, use)
        const traffic = await trafficOf(use, services.trafficSource)
        terminal.result(
          { ...jsonOf(use, blocked), ...(traffic === undefined ? {} : { traffic }) },
          [
            describe(use),
            ...(traffic === undefined ? [] : [describeTraffic(traffic)]),
            ...(blocked ? [trafficBlocked] : []),
          ].join(' '),
          moods,
        )
      }),
    )

  program
    .command('disconnect')
    .description('disconnect another Causeway process, such as the window')
    .option('--wait', 'wait until it has ended, however long that takes; by default 12 seconds')
    .action(
      action<[{ readonly wait?: true }]>(async ({ services, terminal }, { wait }) => {
        const before = await services.tunnel.use()
        if (before.use !== 'free') {
          await services.tunnel.askToDisconnect(wait === true ? { withinMs: Infinity } : {})
        }
        terminal.result({ state: 'disconnected', ...endOf(before) }, describeEnd(before))
      }),
    )

  program
    .command('reconnect')
    .description('start the VPN connection of another Causeway process again, and wait until it is up')
    .action(
      action<[object]>(async ({ services, terminal, signal }) => {
        const holder = await services.tunnel.askToReconnect(signal)
        const use = { use: 'held', holder } as const
        terminal.result(jsonOf(use), describe(use), moods)
      }),
    )
}

type Watched = Pick<Services, 'tunnel' | 'killSwitch'>

/** Returns true if the kill switch blocks the traffic of this computer although nothing is connected. */
function isBlocked({ killSwitch }: Watched, use: TunnelUse): boolean {
  return use.use === 'free' && killSwitch.blocks()
}

/** Calls back with the use of the tunnel, and whether traffic is blocked, now and after each change, until the signal aborts. */
async function watchStatus(
  services: Watched,
  signal: AbortSignal,
  onChange: (use: TunnelUse, blocked: boolean) => void,
): Promise<void> {
  const { tunnel, killSwitch } = services
  let current = await tunnel.use()
  let last = ''
  const tell = (): void => {
    const blocked = isBlocked(services, current)
    // A client gets the state at once, and sees more of it than is printed.
    const text = JSON.stringify(jsonOf(current, blocked))
    if (text !== last) onChange(current, blocked)
    last = text
  }
  tell()
  const stopTunnel = tunnel.watch(
    (holder) => {
      current = holder === undefined ? { use: 'free' } : { use: 'held', holder }
      tell()
    },
    // The process of a moment ago may have ended meanwhile.
    { tellsNobody: true },
  )
  const stopKillSwitch = killSwitch.watch(tell)
  await aborted(signal)
  stopTunnel()
  stopKillSwitch()
}

/** Resolves when the signal aborts. Keeps the process running, which a watched file doesn't. */
function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const alive = setInterval(() => undefined, 3_600_000)
    const end = () => {
      clearInterval(alive)
      resolve()
    }
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  })
}

/** Returns what `disconnect` ended. A holder that doesn't answer counts as connected. */
export function endOf(before: TunnelUse): {
  readonly wasConnected: boolean
  readonly notYetConnected?: true
} {
  return before.use === 'held' && isNotYetConnected(before.holder.connection)
    ? { wasConnected: false, notYetConnected: true }
    : { wasConnected: before.use !== 'free' }
}

function describeEnd(before: TunnelUse): string {
  const { wasConnected, notYetConnected } = endOf(before)
  if (notYetConnected) return 'Cancelled: nothing was connected.'
  return wasConnected ? 'Disconnected.' : "You weren't connected."
}

const trafficBlocked =
  'The kill switch is blocking all traffic. To allow traffic, run: causeway connect --release'

interface Amounts {
  /** Bytes since the tunnel came up. */
  readonly received: number
  readonly sent: number
}

/** Returns the traffic of the tunnel; undefined if not connected, or if the device's counters don't start at zero. */
async function trafficOf(use: TunnelUse, source: TrafficSource | undefined): Promise<Amounts | undefined> {
  if (use.use !== 'held' || source?.fromZero !== true) return undefined
  const { connection } = use.holder
  if (connection.state !== 'connected' || connection.device === undefined) return undefined
  const counters = await source.read(connection.device)
  return counters && { received: counters.received, sent: counters.sent }
}

function describeTraffic({ received, sent }: Amounts): string {
  return `${received} bytes received, ${sent} sent.`
}

/** Returns `status --json`. `state` is a state of `connect --json`, or `unknown` if the holder doesn't answer. */
function jsonOf(use: TunnelUse, blocked = false): object {
  switch (use.use) {
    case 'free':
      return { state: 'disconnected', ...(blocked ? { trafficBlocked: true } : {}) }
    case 'silent':
      return { state: 'unknown' }
    case 'held': {
      const { pid, kind, since, connection } = use.holder
      const heldBy = { pid, kind, since: new Date(since).toISOString() }
      if (!('target' in connection)) return { ...connection, heldBy }
      const { target, ...rest } = connection
      return {
        ...rest,
        ...isoTimes(connection),
        instance: target.instanceId,
        profileId: target.profileId,
        heldBy,
      }
    }
  }
}

function describe(use: TunnelUse): string {
  switch (use.use) {
    case 'free':
      return 'Not connected.'
    case 'silent':
      return "Another of your Causeway processes is connected, but it isn't responding."
    case 'held': {
      const { pid, kind, connection } = use.holder
      const who = `${kind === 'window' ? 'the window' : 'the terminal command'} (process ${pid})`
      if (!('target' in connection)) return `${words[connection.state]}, by ${who}.`
      const { profileId, instanceId } = connection.target
      const of = `${words[connection.state]}: ${printableLine(profileId)} at ${instanceId}, by ${who}.`
      return connection.state === 'connected' ? `${of} ${describeTunnel(connection)}` : of
    }
  }
}

/** Returns the duration, the addresses and the server of a tunnel. */
function describeTunnel({
  since,
  addresses: { ipv4, ipv6 },
  remote: { address, port, protocol },
}: Extract<ConnectionState, { state: 'connected' }>): string {
  const minutes = Math.max(0, Math.floor((Date.now() - since) / 60_000))
  const duration = minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
  const own = [ipv4, ipv6].filter((each) => each !== undefined).join(' and ')
  return `For ${duration}, ${own === '' ? '' : `address ${own}, `}server ${address} port ${port} (${protocol}).`
}

/** The words for people that tell at a glance how it is. */
const moods = { Connected: 'good', Reconnecting: 'limited' } as const

const words = {
  idle: 'Connecting',
  discovering: 'Connecting',
  authorizing: 'Waiting for the browser',
  preparing: 'Connecting',
  connecting: 'Connecting',
  connected: 'Connected',
  reconnecting: 'Reconnecting',
  disconnecting: 'Disconnecting',
  disconnected: 'Disconnecting',
  failed: 'Disconnecting after a failure',
} as const
