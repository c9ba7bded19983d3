import { CausewayError } from '../errors'
import { createOpenVpnFinder, programNotFound } from './find-openvpn'
import { parseLogLine, withoutTimestamp } from './log-parser'
import { canConfigureNetwork } from './network-rights'
import { type OpenVpnProcess, findLifeline, followLog, spawnOpenVpn } from './openvpn-process'
import type { OpenVpnConfiguration, StartTunnel, Tunnel, TunnelEnd, TunnelEvent } from './tunnel'
import { printable, tunnelFailure } from './tunnel-failure'
import { advance, failureAtExit, initialProgress } from './tunnel-progress'

const maxLogLineLength = 500

export interface StartTunnelOptions {
  /** The path of OpenVPN, asked for at each start; without it, OpenVPN is looked for in the usual places. */
  readonly binary?: string | (() => Promise<string | undefined>)
  readonly mayConfigureNetwork?: () => Promise<boolean>
}

/**
 * A `StartTunnel` that runs OpenVPN as a child process with this process's own rights (openvpn.md, "direct"). Keep it:
 * it remembers the version of the OpenVPN that it found.
 */
export function createStartTunnel(options: StartTunnelOptions = {}): StartTunnel {
  const { binary, mayConfigureNetwork = canConfigureNetwork } = options
  const find = createOpenVpnFinder()
  // Neither changes while this process runs.
  let system: Promise<readonly [lifeline: string | undefined, permitted: boolean]> | undefined
  return async ({ configuration, mode, onEvent }) => {
    const path = typeof binary === 'function' ? await binary() : binary
    system ??= Promise.all([findLifeline(), mayConfigureNetwork()])
    const [openVpn, [lifeline, permitted]] = await Promise.all([find(path), system])
    if (mode === 'full' && !permitted) {
      throw tunnelFailure('not-permitted')
    }
    const subprocess = spawnOpenVpn(openVpn.path, lifeline, configuration.text)
    if (subprocess.pid === undefined) {
      await subprocess
      throw programNotFound(openVpn.path)
    }
    return watch(subprocess, configuration, onEvent)
  }
}

/** Follows the log of a process to its end. */
function watch(
  subprocess: OpenVpnProcess,
  configuration: OpenVpnConfiguration,
  onEvent: (event: TunnelEvent) => void,
): Tunnel {
  let progress = initialProgress(configuration)
  let stopped = false
  let verdict: CausewayError | undefined

  /** OpenVPN loses a signal that comes before it tries its first remote; until then it has nothing to clean up. */
  const end = () =>
    subprocess.kill(progress.tried.size === 0 && !progress.wasConnected ? 'SIGKILL' : 'SIGTERM')

  const endWith = (error: CausewayError) => {
    verdict ??= error
    end()
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
    await followLog(subprocess, (line) => {
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
    const { exitCode, signal } = await subprocess
    if (verdict !== undefined) {
      return { end: 'failed', error: verdict }
    }
    if (stopped) {
      return { end: 'stopped' }
    }
    const exit = { ...(exitCode !== undefined && { exitCode }), ...(signal !== undefined && { signal }) }
    return { end: 'failed', error: failureAtExit(progress, exit) }
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
