import type { ErrorReport } from '../../../contract/error-codes'
import { CausewayError, report } from '../../errors'
import { createDirectLauncher } from './direct-launcher'
import { createEventQueue } from './event-queue'
import { hasOnlyIpv6 } from '../../platform/http/only-ipv6'
import { killSwitchNeedsHelper } from '../../privilege/kill-switch'
import type { TunnelProgram } from '../../privilege/helper-client'
import type { Launcher } from './launcher'
import { LostTunnel } from './lost-tunnel'
import { parseLogLine, withoutTimestamp } from './log-parser'
import { canConfigureNetwork } from '../../privilege/network-rights'
import { createTrafficSource } from '../../platform/traffic/create-traffic-source'
import {
  checkTraffic,
  systemTrafficCheck,
  type TrafficCheckOptions,
} from '../../platform/traffic/traffic-check'
import { ObservedRouting } from '../../platform/routes/observed-routing'
import { type RouteReader, systemRoutes } from '../../platform/routes/route-reader'
import type { OpenVpnConfiguration } from './configuration'
import {
  mayStillBeUp,
  type Remote,
  type Tunnel,
  type TunnelDetails,
  type TunnelEnd,
  type TunnelEvent,
} from '../tunnel'
import { printable } from '../../../contract/safe-text'
import { tunnelFailure } from './tunnel-failure'
import { advance, failureAtExit, initialProgress, type ProgressEvent } from './tunnel-progress'
import { withoutKeyMaterial } from './without-key-material'

const maxLogLineLength = 500

interface StartTunnelOptions {
  /** The path of OpenVPN, or a function that returns it at each start; default: the usual folders. */
  readonly binary?: string | (() => Promise<string | undefined>)
  readonly mayConfigureNetwork?: () => Promise<boolean>
  /** Returns the launcher with more rights than this process at each start; missing if there is none. */
  readonly findPrivileged?: () => Promise<Launcher | undefined>
  /** Reads the routes of this computer; default: the system's. */
  readonly routes?: RouteReader
  /** Checks that traffic passes; default: with the system's counters. */
  readonly trafficCheck?: TrafficCheckOptions
  /** Returns true to block traffic outside the tunnel, at each start; default: false. */
  readonly killSwitch?: () => Promise<boolean>
}

/**
 * Starts OpenVPN with the configuration on its standard input (openvpn.md). `handshake-only` creates no device and no
 * routes, and needs no privilege. Resolves once the process runs; throws `openvpn/not-found`, `openvpn/too-old`,
 * `openvpn/not-permitted`, `helper/not-installed`, `helper/needed-for-kill-switch`.
 */
export type StartTunnel = (options: {
  readonly configuration: OpenVpnConfiguration
  readonly mode: 'full' | 'handshake-only'
  readonly onEvent: (event: TunnelEvent) => void
  /** Receives notices for the user that stop nothing. */
  readonly onNotice?: (notice: ErrorReport) => void
}) => Promise<Tunnel>

/** Creates a `StartTunnel`. Reuse it: launchers cache what they found. */
export function createStartTunnel(options: StartTunnelOptions = {}): StartTunnel {
  const { binary, mayConfigureNetwork = canConfigureNetwork, findPrivileged, killSwitch } = options
  const direct = createDirectLauncher(async () => (typeof binary === 'function' ? binary() : binary))
  const routes =
    options.routes === undefined ? systemRoutes(process.platform) : Promise.resolve(options.routes)
  const trafficCheck = options.trafficCheck ?? systemCheck()
  // Cached, because it does not change while this process runs.
  let permitted: Promise<boolean> | undefined

  /** Returns the privileged launcher if there is one, because only it can set DNS servers; a handshake needs no rights. */
  async function choose(mode: 'full' | 'handshake-only', isOn: boolean): Promise<Launcher> {
    if (mode === 'handshake-only') return direct
    const privileged = await findPrivileged?.()
    if (privileged !== undefined) return privileged
    if (isOn) throw killSwitchNeedsHelper()
    permitted ??= mayConfigureNetwork()
    if (await permitted) return direct
    throw findPrivileged === undefined
      ? tunnelFailure('not-permitted')
      : new CausewayError('helper/not-installed')
  }

  return async ({ configuration, mode, onEvent, onNotice }) => {
    const isOn = mode === 'full' && ((await killSwitch?.()) ?? false)
    const launcher = await choose(mode, isOn)
    const launched = await launcher.launch({ configuration: configuration.text, mode, killSwitch: isOn })
    const routing =
      mode === 'full'
        ? new ObservedRouting(
            await routes,
            configuration.remotes.map(({ host }) => host),
          )
        : undefined
    return watch(
      launched,
      initialProgress(configuration.remotes, mode),
      routing,
      trafficCheck,
      onEvent,
      onNotice,
    )
  }
}

function systemCheck(): TrafficCheckOptions | undefined {
  const counters = createTrafficSource(process.platform)
  return counters && systemTrafficCheck(counters)
}

type QueuedEvent =
  ProgressEvent | { readonly event: 'routes-changed' } | Extract<TunnelEvent, { event: 'passing' }>

/** Follows the log of a process to its end. */
function watch(
  launched: TunnelProgram,
  initial: ReturnType<typeof initialProgress>,
  /** Undefined without a device. */
  routing: ObservedRouting | undefined,
  trafficCheck: TrafficCheckOptions | undefined,
  onEvent: (event: TunnelEvent) => void,
  onNotice: (notice: ErrorReport) => void = () => undefined,
): Tunnel {
  let progress = initial
  let stopped = false
  let verdict: CausewayError | undefined
  /** The tunnel when it was last up, without what it carries. */
  let up: TunnelDetails | undefined
  let connectedTo: Remote | undefined
  let most = false
  let lost: LostTunnel | undefined
  let checking: AbortController | undefined

  const end = () => {
    launched.end({ hasBegun: progress.tried.size > 0 || progress.wasConnected })
  }

  const endWith = (error: CausewayError) => {
    verdict ??= error
    end()
  }

  const tell = (event: TunnelEvent) => {
    try {
      onEvent(event)
    } catch (cause) {
      endWith(new CausewayError('internal/unexpected', { cause }))
    }
  }

  /** Asks only addresses inside the tunnel, so the routes must have been read. */
  const checkPassing = () => {
    const device = up?.device
    if (
      checking !== undefined ||
      stopped ||
      routing === undefined ||
      device === undefined ||
      trafficCheck === undefined
    )
      return
    checking = new AbortController()
    const onPassing = (passing: boolean) => {
      queue.add({ event: 'passing', passing })
    }
    const addresses = routing.answering(up?.dns?.servers ?? [])
    void checkTraffic(device, addresses, onPassing, checking.signal, trafficCheck)
  }
  const endChecking = () => {
    checking?.abort()
    checking = undefined
  }

  const onStuck = (tried: readonly Remote[]) => {
    tell({ event: 'stuck', tried })
  }

  // Events that need no routes are told in the same tick, in order with the lines of the log.
  const queue = createEventQueue<QueuedEvent>(async (event) => {
    switch (event.event) {
      case 'connected': {
        const routed = await routing?.connected(event.details.device)
        lost?.end()
        lost = undefined
        most = routed?.most === true
        up = await withNameServers(launched, event.details, most)
        tell({ event: 'connected', details: { ...up, ...routed?.carried } })
        if (routed?.mustBeChecked === true) queue.add({ event: 'routes-changed' })
        else checkPassing()
        return
      }
      case 'restarting':
        endChecking()
        tell({ ...event, routes: (await routing?.left()) ?? 'gone' })
        if (lost !== undefined) await lost.failedAgain()
        else if (routing !== undefined && connectedTo !== undefined && !stopped)
          lost = new LostTunnel({ routing, remotes: progress.remotes, connectedTo, most, onStuck })
        return
      case 'routes-changed': {
        const changed = stopped ? undefined : await routing?.changed()
        if (changed !== undefined && up !== undefined)
          tell({ event: 'routes', details: { ...up, ...changed.carried }, routes: changed.routes })
        if (lost === undefined) checkPassing()
        return
      }
      case 'phase':
        if (event.remote !== undefined) routing?.contacting(event.remote.address)
        tell(event)
        if (event.phase === 'configuring') routing?.warmUp()
        if (event.phase === 'resolving') lost?.notResolved()
        if (event.phase === 'contacting' && event.remote !== undefined) await lost?.contacting(event.remote)
        return
      case 'passing':
        if (checking !== undefined) tell(event)
        return
      case 'refused':
      case 'log':
        tell(event)
    }
  })

  const follow = async () => {
    tell({ event: 'phase', phase: progress.phase })
    let previous = ''
    const refused = new Set<string>()
    await launched.followLog((written) => {
      const line = withoutKeyMaterial(written)
      tell({ event: 'log', line: printable(withoutTimestamp(line), maxLogLineLength) })
      const fact = parseLogLine(line, previous)
      previous = line
      // Once for each: they come again with every reconnection.
      if (fact?.fact === 'route-refused' && refused.size < 10 && !refused.has(fact.reason)) {
        refused.add(fact.reason)
        onNotice(routeNotSet(fact.reason))
      }
      if (fact === undefined || stopped || verdict !== undefined) {
        return
      }
      if (fact.fact === 'no-ipv4-route' && !hasOnlyIpv6()) return
      const step = advance(progress, fact)
      progress = step.progress
      if (fact.fact === 'connected') connectedTo = progress.remote
      step.events.forEach(queue.add)
      if (step.verdict !== undefined) {
        endWith(step.verdict)
      }
    })
  }

  const ended = async (): Promise<TunnelEnd> => {
    await follow()
    await queue.empty()
    lost?.end()
    endChecking()
    const { error, ...exit } = await launched.exited
    if (error !== undefined && mayStillBeUp(error)) {
      return { end: 'failed', error }
    }
    if (verdict !== undefined) {
      return { end: 'failed', error: verdict }
    }
    if (stopped) {
      return { end: 'stopped' }
    }
    return { end: 'failed', error: error ?? failureAtExit(progress, exit) }
  }

  const tunnel: Tunnel = {
    ended: ended(),
    stop: async () => {
      if (!stopped) {
        stopped = true
        lost?.end()
        endChecking()
        end()
      }
      await tunnel.ended
    },
    routesChanged: () => {
      queue.add({ event: 'routes-changed' })
    },
  }
  return tunnel
}

function routeNotSet(reason: string): ErrorReport {
  return report('openvpn/route-not-set', { details: { reason: printable(reason, maxLogLineLength) } })
}

/**
 * Sets the pushed DNS servers before reporting the tunnel as connected: until then, queries would leave outside it.
 *
 * @param most the tunnel carries most traffic, so it resolves all names; its domains complete short names
 */
async function withNameServers(
  launched: TunnelProgram,
  details: TunnelDetails,
  most: boolean,
): Promise<TunnelDetails> {
  const { dns } = details
  if (dns === undefined) return details
  const domains = most ? ['.', ...dns.domains] : dns.domains
  const applied = (await launched.applyDns?.({ servers: dns.servers, domains })) ?? false
  return { ...details, dns: { ...dns, applied } }
}
