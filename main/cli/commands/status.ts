import { type Command, Option } from 'commander'
import type { ConnectionState } from '../../../contract/connection'
import { isNotYetConnected } from '../../../contract/connection-summary'
import { describeConnection } from '../../../contract/describe-connection'
import { connectionJson } from '../connection-json'
import type { TunnelUse } from '../../connection/lock/holder-client'
import type { OtherTunnel } from '../../connection/lock/other-tunnels'
import type { Services } from '../../app/services'
import type { TrafficSource } from '../../platform/traffic/traffic-source'
import { action } from '../context'
import { type NamedService, sentences, sentencesOf, serviceText, tunnelTable } from '../describe-connection'
import { language, shellWord, t } from '../language'
import { terminalLine } from '../../../contract/safe-text'
import type { Mood } from '../screen'

export function addStatusCommands(program: Command): void {
  program
    .command('status')
    .description('show whether the VPN is connected, and which process connected it')
    .option('--watch', 'keep printing a line at each change, until Ctrl-C')
    .addOption(
      new Option(
        '--check',
        'exit with 3 if not connected, and with 4 if connected but less goes through than the profile promises',
      ).conflicts('watch'),
    )
    .action(
      action<[StatusOptions]>(async ({ services, terminal, signal }, { watch, check }) => {
        if (watch === true) {
          const named = await namesOf(services)
          await watchStatus(services, signal, (use, blocked) => {
            const state = describe(use, { services: named })
            const text = blocked ? `${state} ${t('terminal.killSwitch.blocking')}` : state
            terminal.result(jsonOf(use, blocked), text, moods())
          })
          return
        }
        const use = await services.tunnel.use()
        await services.killSwitch.check()
        const blocked = isBlocked(services, use)
        const traffic = await trafficOf(use, services.trafficSource)
        const promisesAll = await promiseOf(services, use)
        const others = await services.tunnel.others()
        terminal.result(
          { ...jsonOf(use, blocked), traffic, ...jsonOfOthers(others) },
          [
            use.use === 'free' && others.length > 0
              ? freeHere(services)
              : describe(use, { services: await namesOf(services), promisesAll, hasTable: true }),
            ...(traffic === undefined ? [] : [describeTraffic(traffic)]),
            ...(blocked ? [t('terminal.killSwitch.blocking')] : []),
          ].join(' ') +
            tableOf(use) +
            describeOthers(others),
          moods(),
        )
        if (check === true) process.exitCode = checkedStatus(use, promisesAll)
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
        const others = await services.tunnel.others()
        terminal.result(
          { state: 'disconnected', ...endOf(before), ...jsonOfOthers(others) },
          (before.use === 'free' && others.length > 0 ? freeHere(services) : describeEnd(before)) +
            describeOthers(others),
        )
      }),
    )

  program
    .command('reconnect')
    .description('start the VPN connection of another Causeway process again, and wait until it is up')
    .action(
      action<[object]>(async ({ services, terminal, signal }) => {
        const holder = await services.tunnel.askToReconnect(signal)
        const use = { use: 'held', holder } as const
        terminal.result(jsonOf(use), describe(use, { services: await services.instances.all() }), moods())
      }),
    )
}

interface StatusOptions {
  readonly watch?: true
  readonly check?: true
}

/**
 * Returns the exit status of `status --check` (docs/terminal.md): 0 connected, 3 not connected, 4 connected, but the process
 * doesn't answer, or less goes through the tunnel than the profile promises.
 */
export function checkedStatus(use: TunnelUse, promisesAll?: boolean): 0 | 3 | 4 {
  if (use.use === 'silent') return 4
  if (use.use === 'free' || use.holder.connection.state !== 'connected') return 3
  return describeConnection(use.holder.connection, { locale: language(), promisesAll }).tone === 'on' ? 0 : 4
}

/** Returns whether the connected profile promises to carry all traffic, by the last answer of its service; sends no request. */
async function promiseOf(
  { instances, read }: Pick<Services, 'instances' | 'read'>,
  use: TunnelUse,
): Promise<boolean | undefined> {
  if (use.use !== 'held' || use.holder.connection.state !== 'connected') return undefined
  const { instanceId, profileId } = use.holder.connection.target
  const instance = (await instances.all()).find(({ id }) => id === instanceId)
  const profiles = instance && (await read.vpn.cached(instance, (portal) => portal.profiles()))
  return profiles?.items.find((profile) => profile.profileId === profileId)?.defaultGateway
}

/** Returns the services for their names; none if the list or the policy can't be read: the state is seen without them. */
async function namesOf({ instances }: Pick<Services, 'instances'>): Promise<readonly NamedService[]> {
  return instances.all().catch(() => [])
}

/** Returns the table of `connect` for a tunnel, on lines of its own. */
function tableOf(use: TunnelUse): string {
  const connection = use.use === 'held' ? use.holder.connection : undefined
  return connection?.state === 'connected' ? ['', ...tunnelTable(connection)].join('\n') : ''
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
    { reportsAbsence: true },
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

function freeHere({ tunnel }: Pick<Services, 'tunnel'>): string {
  return t('terminal.status.freeHere', { dataDir: terminalLine(tunnel.dataDir) })
}

/** Returns the tunnels of other data directories for `--json`, if there are any. */
function jsonOfOthers(others: readonly OtherTunnel[]): { readonly others?: object } {
  if (others.length === 0) return {}
  return {
    others: others.map(({ dataDir, use }) => ({
      dataDir,
      ...(use.use === 'hidden' ? { state: 'unknown' } : jsonOf(use)),
    })),
  }
}

/** Returns the tunnels of other data directories, each on a line of its own, with the command that ends it. */
function describeOthers(others: readonly OtherTunnel[]): string {
  return others
    .map(({ dataDir, use }) => {
      const command = `causeway --data-dir ${shellWord(dataDir)} disconnect`
      return `\n${t('terminal.status.other', {
        dataDir: terminalLine(dataDir),
        state: use.use === 'hidden' ? t('terminal.status.hidden') : describe(use),
        command: terminalLine(use.use === 'hidden' ? `sudo ${command}` : command),
      })}`
    })
    .join('')
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
      return {
        ...connectionJson(connection),
        heldBy: { pid, kind, since: new Date(since).toISOString() },
      }
    }
  }
}

/**
 * Returns the sentences about a tunnel; what goes through it, if that is less than it should be. `services` are this person's,
 * with their names; `hasTable`: addresses and server follow in a table.
 */
export function describe(
  use: TunnelUse,
  {
    services = [],
    promisesAll,
    hasTable = false,
  }: {
    readonly services?: readonly NamedService[]
    readonly promisesAll?: boolean | undefined
    readonly hasTable?: boolean
  } = {},
): string {
  switch (use.use) {
    case 'free':
      return t('terminal.status.free')
    case 'silent':
      return t('terminal.status.silent')
    case 'held': {
      const { pid, kind, connection } = use.holder
      const who =
        kind === 'window' ? t('terminal.status.window', { pid }) : t('terminal.status.terminal', { pid })
      const description = describeConnection(connection, { locale: language(), isHeld: true, promisesAll })
      const state = t(`connection.word.${description.word}`)
      if (!('target' in connection)) return t('terminal.status.by', { state, who })
      const { profileId, instanceId } = connection.target
      const instance = serviceText(instanceId, services)
      const of = t('terminal.status.of', { state, profile: terminalLine(profileId), instance, who })
      if (connection.state !== 'connected') return `${of} ${sentences(description)}`
      // A handshake alone promises nothing.
      const isLess = description.tone === 'limited' && connection.allTraffic !== undefined
      const truth = isLess ? sentencesOf(description) : []
      const tunnel = hasTable
        ? t('terminal.status.for', { duration: durationOf(connection) })
        : describeTunnel(connection)
      return [of, tunnel, ...truth].join(' ')
    }
  }
}

function durationOf({ since }: { readonly since: number }): string {
  const minutes = Math.max(0, Math.floor((Date.now() - since) / 60_000))
  return minutes < 60
    ? t('connection.expiry.minutes', { minutes })
    : t('connection.expiry.hours', { hours: Math.floor(minutes / 60), minutes: minutes % 60 })
}

/** Returns the duration, the addresses and the server of a tunnel. */
function describeTunnel(connection: Extract<ConnectionState, { state: 'connected' }>): string {
  const { ipv4, ipv6 } = connection.addresses
  const { address, port, protocol } = connection.remote
  const own = [ipv4, ipv6].filter((each) => each !== undefined)
  const values = { duration: durationOf(connection), address, port, protocol }
  return own.length === 0
    ? t('terminal.status.tunnelWithoutAddress', values)
    : t('terminal.status.tunnel', { ...values, own: new Intl.ListFormat(language()).format(own) })
}

/** Returns the words that tell at a glance how it is. */
function moods(): Readonly<Record<string, Mood>> {
  return {
    [t('connection.word.connected')]: 'good',
    [t('connection.word.nothing')]: 'limited',
    [t('connection.word.reconnecting')]: 'limited',
  }
}
