import { CausewayError } from '../errors'
import { createDirectLauncher } from './direct-launcher'
import type { LaunchedOpenVpn } from './launcher'
import { parseLogLine, withoutTimestamp } from './log-parser'
import { canConfigureNetwork } from './network-rights'
import type { OpenVpnConfiguration, StartTunnel, Tunnel, TunnelEnd, TunnelEvent } from './tunnel'
import { printable, tunnelFailure } from './tunnel-failure'
import { advance, failureAtExit, initialProgress } from './tunnel-progress'

const maxLogLineLength = 500

export interface StartTunnelOptions {
  /** The path of OpenVPN, asked for at each start; without it, OpenVPN is looked for in the usual places. */
  readonly binary?: string | (() => Promise<string | undefined>)
  readonly mayConfigureNetwork?: () => Promise<boolean>
}

/** A `StartTunnel` that follows the OpenVPN of a launcher. Keep it: launchers remember what they found. */
export function createStartTunnel(options: StartTunnelOptions = {}): StartTunnel {
  const { binary, mayConfigureNetwork = canConfigureNetwork } = options
  const direct = createDirectLauncher(async () => (typeof binary === 'function' ? binary() : binary))
  // It does not change while this process runs.
  let permitted: Promise<boolean> | undefined
  return async ({ configuration, mode, onEvent }) => {
    permitted ??= mayConfigureNetwork()
    if (mode === 'full' && !(await permitted)) {
      throw tunnelFailure('not-permitted')
    }
    const launched = await direct.launch({ configuration: configuration.text, mode, killSwitch: false })
    return watch(launched, configuration, onEvent)
  }
}

/** Follows the log of a process to its end. */
function watch(
  launched: LaunchedOpenVpn,
  configuration: OpenVpnConfiguration,
  onEvent: (event: TunnelEvent) => void,
): Tunnel {
  let progress = initialProgress(configuration)
  let stopped = false
  let verdict: CausewayError | undefined

  const end = (release: boolean) => {
    launched.end({ hasBegun: progress.tried.size > 0 || progress.wasConnected, release })
  }

  const endWith = (error: CausewayError) => {
    verdict ??= error
    end(false)
  }

  const tell = (event: TunnelEvent) => {
    try {
      onEvent(event)
    } catch (cause) {
      endWith(
        new CausewayError('internal/unexpected', 'Causeway met a situation it was not made for.', { cause }),
      )
    }
  }

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
      step.events.forEach(tell)
      if (step.verdict !== undefined) {
        endWith(step.verdict)
      }
    })
  }

  const ended = async (): Promise<TunnelEnd> => {
    await follow()
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
    stop: async ({ keepKillSwitch = false } = {}) => {
      if (!stopped) {
        stopped = true
        end(!keepKillSwitch)
      }
      await tunnel.ended
    },
  }
  return tunnel
}
