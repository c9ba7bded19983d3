import type { Command } from 'commander'
import type { ConnectionState } from '../../../contract/connection'
import { isNotYetConnected } from '../../../contract/connection-summary'
import { describeConnection } from '../../../contract/describe-connection'
import { networksOutside } from '../../../contract/connection-summary'
import { isoTimes } from '../../connection/iso-times'
import type { TunnelUse } from '../../connection/lock/tunnel-lock'
import type { Services } from '../../app/services'
import type { TrafficSource } from '../../platform/traffic/traffic-source'
import { action } from '../context'
import { sentences } from '../describe-connection'
import { language, t } from '../language'
import { terminalLine } from '../../../contract/safe-text'
import type { Mood } from '../screen'

export function addStatusCommands(program: Command): void {
  program
    .command('status')
    .description('show whether the VPN is connected, and which process connected it')
    .option('--watch', 'keep printing a line at each change, until Ctrl-C')
    .action(
      action<[{ readonly watch?: true }]>(async ({ services, terminal, signal }, { watch }) => {
        if (watch === true) {
          await watchStatus(services, signal, (use, blocked) => {
            const text = blocked ? `${describe(use)} ${t('terminal.killSwitch.blocking')}` : describe(use)
            terminal.result(jsonOf(use, blocked), text, moods())
          })
          return
        }
        const use = await services.tunnel.use()
        await services.killSwitch.check()
        const blocked = isBlocked(services, use)
        const traffic = await trafficOf(use, services.trafficSource)
        terminal.result(
          { ...jsonOf(use, blocked), traffic },
          [
            describe(use),
            ...(traffic === undefined ? [] : [describeTraffic(traffic)]),
            ...(blocked ? [t('terminal.killSwitch.blocking')] : []),
          ].join(' '),
          moods(),
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
        terminal.result(jsonOf(use), describe(use), moods())
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
  await killSwitch.check()
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
      void killSwitch.check().then(tell)
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
  if (notYetConnected) return t('terminal.status.cancelled')
  return wasConnected ? t('terminal.status.disconnected') : t('terminal.status.wasNot')
}

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
  return t('terminal.status.traffic', { count: received, sent })
}

/** Returns `status --json`. `state` is a state of `connect --json`, or `unknown` if the holder doesn't answer. */
function jsonOf(use: TunnelUse, blocked = false): object {
  switch (use.use) {
    case 'free':
      return { state: 'disconnected', trafficBlocked: blocked || undefined }
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
        ...(connection.state === 'connected' && networksOutside(connection)),
        instance: target.instanceId,
        profileId: target.profileId,
        heldBy,
      }
    }
  }
}

/** Returns the sentences about a tunnel; what goes through it, if that is less than it should be. */
export function describe(use: TunnelUse): string {
  switch (use.use) {
    case 'free':
      return t('terminal.status.free')
    case 'silent':
      return t('terminal.status.silent')
    case 'held': {
      const { pid, kind, connection } = use.holder
      const who =
        kind === 'window' ? t('terminal.status.window', { pid }) : t('terminal.status.terminal', { pid })
      const description = describeConnection(connection, { locale: language(), isHeld: true })
      const state = t(`connection.word.${description.word}`)
      if (!('target' in connection)) return t('terminal.status.by', { state, who })
      const { profileId, instanceId: instance } = connection.target
      const of = t('terminal.status.of', { state, profile: terminalLine(profileId), instance, who })
      if (connection.state !== 'connected') return `${of} ${sentences(description)}`
      // A handshake alone promises nothing.
      const isLess = description.tone === 'limited' && connection.allTraffic !== undefined
      const truth = isLess ? description.sentences.slice(1).map((key) => t(key, description.values)) : []
      return [of, describeTunnel(connection), ...truth].join(' ')
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
  const duration =
    minutes < 60
      ? t('connection.expiry.minutes', { minutes })
      : t('connection.expiry.hours', { hours: Math.floor(minutes / 60), minutes: minutes % 60 })
  const own = [ipv4, ipv6].filter((each) => each !== undefined)
  const values = { duration, address, port, protocol }
  return own.length === 0
    ? t('terminal.status.tunnelWithoutAddress', values)
    : t('terminal.status.tunnel', { ...values, own: new Intl.ListFormat(language()).format(own) })
}

/** Returns the words that tell at a glance how it is. */
function moods(): Readonly<Record<string, Mood>> {
  return { [t('connection.word.connected')]: 'good', [t('connection.word.reconnecting')]: 'limited' }
}
