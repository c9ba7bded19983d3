import { CausewayError } from '../../errors'
import { createDirectLauncher } from './direct-launcher'
import { createEventQueue } from './event-queue'
import { killSwitchNeedsHelper } from '../../privilege/kill-switch'
import type { TunnelProgram } from '../../privilege/helper-client'
import type { Launcher } from './launcher'
import { parseLogLine, withoutTimestamp } from './log-parser'
import { canConfigureNetwork } from '../../privilege/network-rights'
import type { OpenVpnConfiguration } from './configuration'
import type { Tunnel, TunnelEnd, TunnelEvent } from '../tunnel'
import { printable, tunnelFailure } from './tunnel-failure'
import { advance, failureAtExit, initialProgress } from './tunnel-progress'

const maxLogLineLength = 500

export interface StartTunnelOptions {
  /** The path of OpenVPN, asked for at each start; without it, OpenVPN is looked for in the usual places. */
  readonly binary?: string | (() => Promise<string | undefined>)
  readonly mayConfigureNetwork?: () => Promise<boolean>
  /** The launcher with more rights than this process, looked for at each start; without it there is none. */
  readonly findPrivileged?: () => Promise<Launcher | undefined>
  /** Whether to block what does not go through the tunnel, asked at each start; default no. */
  readonly killSwitch?: () => Promise<boolean>
}

/**
 * Starts OpenVPN with the configuration on its standard input (openvpn.md). `handshake-only` makes no device, no
 * routes, and needs no privilege. Resolves once the process runs; throws `openvpn/not-found`, `openvpn/too-old`,
 * `openvpn/not-permitted`, `helper/not-installed`, `helper/needed-for-kill-switch`.
 */
export type StartTunnel = (options: {
  readonly configuration: OpenVpnConfiguration
  readonly mode: 'full' | 'handshake-only'
  readonly onEvent: (event: TunnelEvent) => void
}) => Promise<Tunnel>

/** A `StartTunnel` that follows the OpenVPN of a launcher. Keep it: launchers remember what they found. */
export function createStartTunnel(options: StartTunnelOptions = {}): StartTunnel {
  const { binary, mayConfigureNetwork = canConfigureNetwork, findPrivileged, killSwitch } = options
  const direct = createDirectLauncher(async () => (typeof binary === 'function' ? binary() : binary))
  // It does not change while this process runs.
  let permitted: Promise<boolean> | undefined

  /** The privileged launcher where there is one, since it alone sets name servers; a handshake needs no rights. */
  async function choose(mode: 'full' | 'handshake-only', isOn: boolean): Promise<Launcher> {
    if (mode === 'handshake-only') return direct
    const privileged = await findPrivileged?.()
    if (privileged !== undefined) return privileged
    if (isOn) throw killSwitchNeedsHelper()
    permitted ??= mayConfigureNetwork()
    if (await permitted) return direct
    throw findPrivileged === undefined
      ? tunnelFailure('not-permitted')
      : new CausewayError(
          'helper/not-installed',
          "Causeway needs its helper to set up a connection, but the helper isn't installed. To install it, run: causeway helper install",
        )
  }

  return async ({ configuration, mode, onEvent }) => {
    const isOn = mode === 'full' && ((await killSwitch?.()) ?? false)
    const launcher = await choose(mode, isOn)
    const launched = await launcher.launch({ configuration: configuration.text, mode, killSwitch: isOn })
    return watch(launched, configuration, onEvent)
  }
}

/** Follows the log of a process to its end. */
function watch(
  launched: TunnelProgram,
  configuration: OpenVpnConfiguration,
  onEvent: (event: TunnelEvent) => void,
): Tunnel {
  let progress = initialProgress(configuration)
  let stopped = false
  let verdict: CausewayError | undefined

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
      endWith(
        new CausewayError(
          'internal/unexpected',
          'Causeway ran into an unexpected problem. Try again. If it happens again, report it.',
          { cause },
        ),
      )
    }
  }

  const queue = createEventQueue<TunnelEvent>(async (event) => {
    tell(event.event === 'connected' ? await withNameServers(launched, event) : event)
  })

  const follow = async () => {
    tell({ event: 'phase', phase: progress.phase })
    await launched.followLog((line) => {
      tell({ event: 'log', line: printable(withoutTimestamp(line), maxLogLineLength) })
      const fact = parseLogLine(line)
      if (fact === undefined || stopped || verdict !== undefined) {
        return
      }
      const step = advance(progress, fact)
      progress = step.progress
      step.events.forEach(queue.add)
      if (step.verdict !== undefined) {
        endWith(step.verdict)
      }
    })
  }

  const ended = async (): Promise<TunnelEnd> => {
    await follow()
    await queue.empty()
    const { error, ...exit } = await launched.exited
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
        end()
      }
      await tunnel.ended
    },
  }
  return tunnel
}

/** Sets the pushed name servers before the tunnel is called connected: until then names would be looked up outside. */
async function withNameServers(
  launched: TunnelProgram,
  event: Extract<TunnelEvent, { event: 'connected' }>,
): Promise<TunnelEvent> {
  const { dns, allTraffic } = event.details
  if (dns === undefined || launched.applyDns === undefined) return event
  // A tunnel that takes all traffic answers every name; its domains are those that short names are tried in.
  const domains = allTraffic === true ? ['.', ...dns.domains] : dns.domains
  const applied = await launched.applyDns({ servers: dns.servers, domains })
  return { event: 'connected', details: { ...event.details, dns: { ...dns, applied } } }
}
