import type { ErrorReport } from '../../contract/error-codes'
import { CausewayError, report } from '../errors'
import { ObservedRouting } from '../platform/routes/observed-routing'
import type { RouteReader } from '../platform/routes/route-reader'
import { systemRoutes } from '../platform/routes/system-routes'
import { createTrafficSource } from '../platform/traffic/create-traffic-source'
import { type TrafficCheckOptions, systemTrafficCheck } from '../platform/traffic/traffic-check'
import {
  type Launch,
  type LaunchRequest,
  type WaitingProgram,
  helperLauncher,
} from '../privilege/helper-client'
import { killSwitchNeedsHelper } from '../privilege/kill-switch'
import { canConfigureNetwork } from '../privilege/network-rights'
import type { Privilege } from '../privilege/privilege'
import { AppSplit, type DividedApps } from './app-split'
import { createDirectLauncher } from './openvpn/direct-launcher'
import { findWindowsLauncher } from './openvpn/windows-service'
import type { ProgramTunnel, TunnelParts } from './program-tunnel'
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
  prepare(tunnel: Granted, options: Omit<StartOptions, 'onEvent'>): Promise<PreparedTunnel>
  isOutdated(held: Granted, current: Granted, options: TunnelOptions): Promise<boolean>
  describe(tunnel: Granted, options: TunnelOptions): Promise<string>
}

export interface OpenTunnelOptions {
  readonly privilege: Pick<Privilege, 'findHelper' | 'wantsKillSwitch'> &
    Partial<Pick<Privilege, 'blocksLocal'>>
  /** Each protocol, loaded for its first tunnel. */
  readonly protocols: {
    readonly openvpn: () => Promise<Protocol<OpenVpnTunnel>>
    readonly wireguard: () => Promise<Protocol<WireGuardTunnel>>
  }
  /** Returns the path of OpenVPN that the user chose; undefined to search the usual folders. */
  readonly openVpnPath: () => Promise<string | undefined>
  /** A private folder in the data directory for the files of one tunnel at a time; needed on Windows. */
  readonly tunnelFolder?: string
  /** Returns the launcher with more rights than this process, at each start; default: the system's (docs/platforms.md). */
  readonly findPrivileged?: () => Promise<Launch | undefined>
  readonly mayConfigureNetwork?: () => Promise<boolean>
  /** Returns the apps to divide, at each start; undefined if all use the tunnel. */
  readonly divideApps?: () => Promise<DividedApps | undefined>
  /** Reads the routes of this computer; default: the system's. */
  readonly routes?: RouteReader
  /** Checks that traffic passes; default: with the system's counters. */
  readonly trafficCheck?: TrafficCheckOptions
  /** Receives notices for the user that stop nothing. */
  readonly onNotice: (notice: ErrorReport) => void
}

/** What was got ready for a tunnel. */
interface Ready {
  readonly command: LaunchRequest['command']
  readonly mode: TunnelOptions['mode']
  readonly begun: Promise<Begun | undefined>
}

/** A program that was started before its tunnel is granted. */
interface Begun {
  /** With the rights of this process. */
  readonly isDirect: boolean
  readonly program: WaitingProgram
}

/** Creates the backend for tunnels of every protocol. Reuse it: it caches what it found on this computer. */
export function createTunnelBackend(options: OpenTunnelOptions): TunnelBackend {
  const { privilege, protocols, onNotice } = options
  const routes =
    options.routes === undefined ? systemRoutes(process.platform) : Promise.resolve(options.routes)
  const trafficCheck = options.trafficCheck ?? systemCheck()
  const direct = createDirectLauncher(options.openVpnPath)
  // Cached, because it does not change while this process runs.
  let permitted: Promise<boolean> | undefined

  async function systemLauncher(command: LaunchRequest['command']): Promise<Launch | undefined> {
    if (process.platform === 'win32' && command === 'run' && options.tunnelFolder !== undefined)
      return findWindowsLauncher(options.tunnelFolder)
    const helper = await privilege.findHelper()
    return helper && helperLauncher(helper)
  }

  /** Returns the privileged launcher if there is one, because only it can set DNS servers; a handshake needs no rights. */
  async function launcher(
    command: LaunchRequest['command'],
    mode: TunnelOptions['mode'],
    killSwitch: boolean,
  ): Promise<Launch> {
    if (mode === 'handshake-only') return direct
    const privileged = await (options.findPrivileged ?? systemLauncher)(command)
    if (privileged !== undefined) return privileged
    if (command === 'run') {
      if (killSwitch) throw killSwitchNeedsHelper()
      permitted ??= (options.mayConfigureNetwork ?? canConfigureNetwork)()
      if (await permitted) return direct
    }
    throw new CausewayError('helper/not-installed')
  }

  const prepare = async (
    tunnel: GrantedTunnel,
    how: Omit<StartOptions, 'onEvent'>,
  ): Promise<PreparedTunnel> =>
    tunnel.protocol === 'openvpn'
      ? (await protocols.openvpn()).prepare(tunnel, how)
      : (await protocols.wireguard()).prepare(tunnel, how)

  /** What was got ready for the next tunnel. */
  let ready: Ready | undefined

  async function begin(
    command: LaunchRequest['command'],
    mode: TunnelOptions['mode'],
  ): Promise<Begun | undefined> {
    const launch = await launcher(command, mode, mode === 'full' && (await privilege.wantsKillSwitch()))
    const program = await launch.begin?.(command)
    return program && { isDirect: launch === direct, program }
  }

  /** Ends it, unless a tunnel has taken it. */
  async function endReady(mine: Ready | undefined): Promise<void> {
    if (mine === undefined || ready !== mine) return
    ready = undefined
    await (await mine.begun)?.program.end()
  }

  /** Returns a program that waits for its configuration, if the one that was got ready is what this launcher would start. */
  async function takeReady(
    command: LaunchRequest['command'],
    launch: Launch,
  ): Promise<WaitingProgram | undefined> {
    const taken = ready
    ready = undefined
    const begun = await taken?.begun
    if (begun === undefined) return undefined
    const { isDirect, program } = begun
    if (taken?.command === command && isDirect === (launch === direct) && program.isRunning()) return program
    await program.end()
    return undefined
  }

  async function splitApps(mode: TunnelOptions['mode'], hasHelper: boolean): Promise<AppSplit | undefined> {
    const apps = mode === 'full' ? await options.divideApps?.() : undefined
    if (apps === undefined || hasHelper) return apps && new AppSplit(apps)
    apps.close()
    onNotice(report('helper/apps-not-divided'))
    return undefined
  }

  return {
    getReady: (protocol, mode) => {
      const command = protocol === 'openvpn' ? 'run' : 'wireguard'
      if (ready?.command !== command || ready.mode !== mode) {
        void endReady(ready)
        // openTunnel meets the same errors, if they still have a reason.
        ready = { command, mode, begun: begin(command, mode).catch(() => undefined) }
      }
      const mine = ready
      return () => endReady(mine)
    },
    openTunnel: async (granted, { onEvent, ...how }) => {
      const prepared = await prepare(granted, how)
      let split: AppSplit | undefined
      try {
        onEvent({ event: 'phase', phase: 'starting' })
        const killSwitch = how.mode === 'full' && (await privilege.wantsKillSwitch())
        const blocksLocal = how.mode === 'full' && (await privilege.blocksLocal?.()) === true
        const launch = await launcher(prepared.command, how.mode, killSwitch)
        split = await splitApps(how.mode, launch !== direct)
        const waiting = await takeReady(prepared.command, launch)
        // Before the program runs: nothing between its start and `follow` may fail.
        const routing = how.mode === 'full' ? new ObservedRouting(await routes, prepared.hosts) : undefined
        const early: Parameters<ProgramTunnel['onMessage']>[] = []
        let hear: ProgramTunnel['onMessage'] = (...message) => {
          early.push(message)
        }
        const program = await (waiting?.launch ?? launch)({
          ...prepared,
          killSwitch,
          blocksLocal,
          apps: split?.request,
          onMessage: (message, text) => {
            if (message.message === 'app') split?.onAnswer(message.outcome)
            hear(message, text)
          },
        })
        let isSaid = !blocksLocal
        const tunnel = prepared.follow({
          program,
          routing,
          trafficCheck,
          onEvent: (event) => {
            // The system can't be made to do it, such as without the helper: then the routes show them.
            if (!isSaid && 'details' in event && event.details.local !== undefined) {
              isSaid = true
              onNotice(report('helper/local-network-not-blocked'))
            }
            const apps = split?.current
            onEvent('details' in event && apps ? { ...event, details: { ...event.details, apps } } : event)
          },
          onNotice,
        })
        split?.follow(
          (command) => program.send?.(command),
          (apps) => {
            onEvent({ event: 'apps', apps })
          },
        )
        if (split !== undefined) void tunnel.ended.then(() => split?.close())
        hear = (message, text) => {
          tunnel.onMessage(message, text)
        }
        for (const message of early) hear(...message)
        return tunnel
      } catch (error) {
        split?.close()
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

function systemCheck(): TrafficCheckOptions | undefined {
  const counters = createTrafficSource(process.platform)
  return counters && systemTrafficCheck(counters)
}
