import type { ErrorReport } from '../../contract/error-codes'
import { report } from '../errors'
import { ObservedRouting } from '../platform/routes/observed-routing'
import type { RouteReader } from '../platform/routes/route-reader'
import { systemRoutes } from '../platform/routes/system-routes'
import { createTrafficSource } from '../platform/traffic/create-traffic-source'
import { type TrafficCheckOptions, systemTrafficCheck } from '../platform/traffic/traffic-check'
import { type LaunchRequest, maxGroups, type TunnelProgram } from '../privilege/helper-client'
import type { Privilege } from '../privilege/privilege'
import { AppsBetween, type AppsBetweenOptions } from './apps-between'
import { AppSplit, type DividedApps, type SplitListener } from './app-split'
import { Launchers, type LaunchersOptions } from './launchers'
import { LocalNetwork } from './local-network'
import type { ProgramTunnel, TunnelParts } from './program-tunnel'
import { ReadyProgram } from './ready-program'
import type {
  GrantedTunnel,
  OpenVpnTunnel,
  StartOptions,
  TunnelBackend,
  TunnelOptions,
  WireGuardTunnel,
} from './tunnel'

/** A tunnel that only has to be launched. */
export interface PreparedTunnel extends Omit<
  LaunchRequest,
  'killSwitch' | 'blocksLocal' | 'apps' | 'onMessage'
> {
  /** The hosts of its servers, which are reached outside it. */
  readonly hosts: readonly string[]
  /** Follows the program that was launched. */
  follow(parts: TunnelParts): ProgramTunnel
  /** Undoes the preparation if the launch fails. */
  discard?(): void
}

/** A protocol of tunnels. Its methods throw like those of TunnelBackend. */
export interface Protocol<Granted extends GrantedTunnel> {
  prepare(tunnel: Granted, options: Omit<StartOptions, 'target' | 'onEvent'>): Promise<PreparedTunnel>
  isOutdated(held: Granted, current: Granted, options: TunnelOptions): Promise<boolean>
  describe(tunnel: Granted, options: TunnelOptions): Promise<string>
}

export interface OpenTunnelOptions extends LaunchersOptions {
  readonly privilege: Pick<Privilege, 'findHelper' | 'wantsKillSwitch'> &
    Partial<Pick<Privilege, 'blocksLocal'>>
  /** Each protocol, loaded for its first tunnel. */
  readonly protocols: {
    readonly openvpn: () => Promise<Protocol<OpenVpnTunnel>>
    readonly wireguard: () => Promise<Protocol<WireGuardTunnel>>
  }
  /** Returns the apps to divide, at each start of a tunnel for a profile; undefined if all use it. */
  readonly divideApps?: (target: StartOptions['target']) => Promise<DividedApps | undefined>
  /** Whether the kill switch is up. Without it, the list of apps stays as it was when a tunnel ended. */
  readonly trafficBlock?: AppsBetweenOptions['trafficBlock']
  /** Reads the routes of this computer; default: the system's. */
  readonly routes?: RouteReader
  /** Checks that traffic passes; default: with the system's counters. */
  readonly trafficCheck?: TrafficCheckOptions
  /** Receives notices for the user that stop nothing. */
  readonly onNotice: (notice: ErrorReport) => void
}

/** Creates the backend for tunnels of every protocol. Reuse it: it caches what it found on this computer. */
export function createTunnelBackend(options: OpenTunnelOptions): TunnelBackend {
  const { privilege, protocols } = options
  const launchers = new Launchers(options)
  const ready = new ReadyProgram(launchers, () => privilege.wantsKillSwitch())
  const open = tunnelOpener(options, launchers, ready)
  return {
    getReady: (protocol, mode) => ready.start(protocol === 'openvpn' ? 'run' : 'wireguard', mode),
    openTunnel: async (granted, { target, onEvent, ...how }) => {
      const prepared =
        granted.protocol === 'openvpn'
          ? await (await protocols.openvpn()).prepare(granted, how)
          : await (await protocols.wireguard()).prepare(granted, how)
      try {
        return await open(prepared, { target, mode: how.mode, onEvent })
      } catch (error) {
        prepared.discard?.()
        throw error
      }
    },
    isOutdated: async (held, current, how) => {
      if (held.protocol === 'openvpn' && current.protocol === 'openvpn')
        return (await protocols.openvpn()).isOutdated(held, current, how)
      if (held.protocol === 'wireguard' && current.protocol === 'wireguard')
        return (await protocols.wireguard()).isOutdated(held, current, how)
      return true
    },
    describe: async (tunnel, how) =>
      tunnel.protocol === 'openvpn'
        ? (await protocols.openvpn()).describe(tunnel, how)
        : (await protocols.wireguard()).describe(tunnel, how),
  }
}

/** Returns a function that launches a prepared tunnel and follows its program. */
function tunnelOpener(options: OpenTunnelOptions, launchers: Launchers, ready: ReadyProgram) {
  const { privilege, onNotice, platform = process.platform } = options
  const routes = options.routes === undefined ? systemRoutes(platform) : Promise.resolve(options.routes)
  const trafficCheck = options.trafficCheck ?? systemCheck(platform)

  const between =
    options.trafficBlock &&
    new AppsBetween({ findHelper: () => privilege.findHelper(), trafficBlock: options.trafficBlock })

  /** Follows the apps while the tunnel is up, and then while the kill switch is. */
  function followApps(split: AppSplit, listener: SplitListener, ended: Promise<unknown>): void {
    split.follow(listener)
    void ended.then(() => {
      if (between === undefined) split.close()
      else void between.begin(split)
    })
  }

  async function splitApps(
    { mode, target }: Pick<StartOptions, 'mode' | 'target'>,
    hasHelper: boolean,
  ): Promise<AppSplit | undefined> {
    const apps = mode === 'full' ? await options.divideApps?.(target) : undefined
    if (apps === undefined || hasHelper) return apps && new AppSplit(apps)
    apps.close()
    onNotice(report('helper/apps-not-divided'))
    return undefined
  }

  return async (
    prepared: PreparedTunnel,
    { target, mode, onEvent }: Pick<StartOptions, 'target' | 'mode' | 'onEvent'>,
  ): Promise<ProgramTunnel> => {
    let split: AppSplit | undefined
    try {
      onEvent({ event: 'phase', phase: 'starting' })
      const killSwitch = mode === 'full' && (await privilege.wantsKillSwitch())
      const blocksLocal = mode === 'full' && (await privilege.blocksLocal?.()) === true
      const launch = await launchers.find(prepared.command, mode, killSwitch)
      split = await splitApps({ target, mode }, launch !== launchers.direct)
      const waiting = await ready.take(prepared.command, launch)
      // Before the program runs: nothing between its start and `follow` may fail.
      const routing = mode === 'full' ? new ObservedRouting(await routes, prepared.hosts) : undefined
      const local = new LocalNetwork(() => {
        // The system can't be made to do it, such as without the helper.
        if (blocksLocal) onNotice(report('helper/local-network-not-blocked'))
      })
      const messages = new MessageBuffer()
      const program = await (waiting?.launch ?? launch)({
        ...prepared,
        killSwitch,
        blocksLocal,
        apps: split?.request,
        onMessage: (message, text) => {
          if (message.message === 'app') split?.onAnswer(message.outcome)
          const isChanged = local.onMessage(message)
          messages.add(message, text)
          if (isChanged) messages.tunnel?.routesChanged()
        },
      })
      const onTunnelEvent = withApps(split, local.following(onEvent))
      const tunnel = prepared.follow({
        program,
        platform,
        routing,
        trafficCheck,
        onEvent: onTunnelEvent,
        onNotice,
      })
      between?.end()
      if (split !== undefined) followApps(split, splitListener(program, onEvent, onNotice), tunnel.ended)
      messages.deliverTo(tunnel)
      return tunnel
    } catch (error) {
      split?.close()
      throw error
    }
  }
}

/** Returns what follows the divided apps of a tunnel whose program runs. */
function splitListener(
  program: Pick<TunnelProgram, 'send'>,
  onEvent: StartOptions['onEvent'],
  onNotice: OpenTunnelOptions['onNotice'],
): SplitListener {
  return {
    send: (command) => program.send?.(command),
    tell: (apps) => {
      onEvent({ event: 'apps', apps })
    },
    onFull: () => {
      onEvent({ event: 'log', line: `causeway: no room for more than ${maxGroups} control groups of apps` })
      onNotice(report('helper/apps-full'))
    },
  }
}

/** Returns a listener that adds the divided apps to the details of the tunnel. */
function withApps(split: AppSplit | undefined, onEvent: StartOptions['onEvent']): StartOptions['onEvent'] {
  return (event) => {
    onEvent(
      'details' in event && split !== undefined ? { ...event, details: split.added(event.details) } : event,
    )
  }
}

/** Buffers the messages of a program until its tunnel receives them. */
class MessageBuffer {
  readonly #buffered: Parameters<ProgramTunnel['onMessage']>[] = []
  tunnel: ProgramTunnel | undefined

  add(...message: Parameters<ProgramTunnel['onMessage']>): void {
    if (this.tunnel === undefined) this.#buffered.push(message)
    else this.tunnel.onMessage(...message)
  }

  deliverTo(tunnel: ProgramTunnel): void {
    this.tunnel = tunnel
    for (const message of this.#buffered) tunnel.onMessage(...message)
  }
}

function systemCheck(platform: NodeJS.Platform): TrafficCheckOptions | undefined {
  const counters = createTrafficSource(platform)
  return counters && systemTrafficCheck(counters)
}
