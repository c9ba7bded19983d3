import { report } from '../../errors'
import type { ErrorReport } from '../../../contract/error-codes'
import type { RouteReader } from '../../platform/routes/route-reader'
import type { TrafficCheckOptions } from '../../platform/traffic/traffic-check'
import type { Privilege } from '../../privilege/privilege'
import type {
  OpenVpnTunnel,
  Remote,
  StartOptions,
  TunnelBackend,
  TunnelOptions,
  TunnelProxy,
} from '../tunnel'
import { type OpenVpnConfiguration, buildConfiguration, isOutdated } from './configuration'
import { createHelperLauncher } from './helper-launcher'
import { redactConfiguration } from './redact-configuration'
import { type StartTunnel, createStartTunnel } from './start-tunnel'
import { findWindowsLauncher } from './windows-service'

interface OpenVpnOptions {
  /** Returns the path that the user chose, if any. */
  readonly openVpnPath: () => Promise<string | undefined>
  /**
   * Returns the proxy on the way to a server; undefined for none. To `start` a tunnel, it throws if the proxy refuses: in
   * OpenVPN's log, all refusals look the same.
   */
  readonly proxyFor?: (server: Remote, use: 'start' | 'compare') => Promise<TunnelProxy | undefined>
  readonly privilege: Pick<Privilege, 'findHelper' | 'wantsKillSwitch'>
  /** A private folder in the data directory for the files of one tunnel at a time; needed on Windows. */
  readonly tunnelFolder?: string
  /** Reads the routes of this computer; default: the system's. */
  readonly routes?: RouteReader
  /** Checks that traffic passes; default: with the system's counters. */
  readonly trafficCheck?: TrafficCheckOptions
  /** Receives notices for the user that stop nothing. */
  readonly onNotice: (notice: ErrorReport) => void
}

/** Creates the backend for OpenVPN, which runs with the rights that this system gives (docs/platforms.md). */
export function createOpenVpnBackend(options: OpenVpnOptions): TunnelBackend<OpenVpnTunnel> {
  const startTunnel = startOpenVpn(options)
  const build = async (
    { profile, ...keyPair }: OpenVpnTunnel,
    how: TunnelOptions & Partial<Pick<StartOptions, 'avoid'>>,
    use: 'start' | 'compare' = 'compare',
  ): Promise<OpenVpnConfiguration> => {
    const built = (proxy?: TunnelProxy) =>
      buildConfiguration(profile, keyPair, { platform: process.platform, ...how, proxy })
    const direct = built()
    const server = direct.remotes.find(({ protocol }) => protocol === 'tcp') ?? direct.remotes[0]
    const proxy = server && (await options.proxyFor?.(server, use))
    return proxy === undefined ? direct : built(proxy)
  }
  return {
    start: async (tunnel, { onEvent, ...how }) => {
      const configuration = await build(tunnel, how, 'start')
      onEvent({ event: 'phase', phase: 'starting' })
      return startTunnel({ configuration, mode: how.mode, onEvent })
    },
    isOutdated: async (held, current, how) => isOutdated(await build(held, how), await build(current, how)),
    describe: async (tunnel, how) => redactConfiguration((await build(tunnel, how)).text),
  }
}

/** Returns a function that starts OpenVPN with the rights that this system gives. */
export function startOpenVpn({
  openVpnPath,
  privilege,
  tunnelFolder,
  routes,
  trafficCheck,
  onNotice,
}: OpenVpnOptions): StartTunnel {
  const startTunnel = createStartTunnel({
    binary: openVpnPath,
    ...(routes !== undefined && { routes }),
    ...(trafficCheck !== undefined && { trafficCheck }),
    killSwitch: () => privilege.wantsKillSwitch(),
    ...(['linux', 'darwin'].includes(process.platform) && {
      findPrivileged: async () => {
        const found = await privilege.findHelper()
        return found && createHelperLauncher(found)
      },
    }),
    ...(process.platform === 'win32' &&
      tunnelFolder !== undefined && { findPrivileged: () => findWindowsLauncher(tunnelFolder) }),
  })
  return (start) =>
    startTunnel({
      ...start,
      onNotice,
      onEvent: (event) => {
        if (event.event === 'connected' && event.details.dns?.applied === false) onNotice(dnsNotSet)
        start.onEvent(event)
      },
    })
}

const dnsNotSet = report('helper/dns-not-set')
