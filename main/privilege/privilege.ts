import { CausewayError, report, toErrorReport } from '../errors'
import type { Reporter } from '../reporter'
import { findHelper } from './find-helper'
import { type HelperOptions, releaseKillSwitch, repair } from './helper-client'
import type { HelperMessage } from './helper-messages'
import { killSwitchNotOffered } from './kill-switch'
import { findOwnService, isAnsweringService } from './own-service'
import type { TrafficBlock } from './traffic-block'

export interface PrivilegeOptions {
  /** The setting `killSwitch`. */
  readonly killSwitch: () => Promise<boolean>
  /** Whether the setting `localNetwork` is `block`. */
  readonly blocksLocal?: () => Promise<boolean>
  readonly reporter: Pick<Reporter, 'notice'>
  /** Whether the kill switch of any run is up; without it, only this run's changes are known. */
  readonly trafficBlock?: Pick<TrafficBlock, 'isOn' | 'check'>
  /** Path of the helper; default: the installed one. */
  readonly helper?: string
  /** For tests. */
  readonly platform?: NodeJS.Platform
  /** For tests: finds Causeway's service on Windows. */
  readonly findService?: typeof findOwnService
}

/** The rights of tunnels on this system, and the kill switch, which outlives a tunnel. */
export interface Privilege {
  /** Finds the helper, on Windows Causeway's service, at each start of a tunnel; undefined if it is not installed. */
  findHelper(): Promise<HelperOptions | undefined>
  /**
   * Returns true if tunnels start with the kill switch. Throws `helper/kill-switch-not-offered` where nothing can raise it, so that nothing
   * connects without it.
   */
  wantsKillSwitch(): Promise<boolean>
  /** Returns true if local networks are not to stay outside a tunnel for everything. */
  blocksLocal(): Promise<boolean>
  /** Lifts the kill switch, also one that an earlier run left. Throws `helper/*`. */
  release(): Promise<'released' | 'none'>
  /** Undoes what an earlier run left, but for a kill switch. Never throws. */
  repair(): Promise<void>
  /**
   * Must be called when the tunnel and all attempts are over. Lifts the kill switch if the user disconnected; otherwise
   * keeps it and tells the user how to lift it. Never throws.
   */
  afterwards(disconnectedByUser: boolean): Promise<void>
}

export function createPrivilege(options: PrivilegeOptions): Privilege {
  const { reporter, trafficBlock, platform = process.platform, findService = findOwnService } = options
  const isWindows = platform === 'win32'
  const find = () => (isWindows ? findService() : findHelper(options.helper))
  let blocked = false

  const onMessage = (message: HelperMessage) => {
    if (message.message === 'kill-switch') {
      blocked = message.state === 'on' || message.state === 'left'
      trafficBlock?.check().catch(() => undefined)
      if (message.state === 'lifted') reporter.notice(report('helper/kill-switch-lifted'))
    }
    if (message.message === 'repaired') {
      reporter.notice(report('helper/repaired'))
    }
  }

  async function release(): Promise<'released' | 'none'> {
    const found = isWindows ? await findService(undefined, isAnsweringService) : await find()
    if (found === undefined && isWindows)
      throw new CausewayError('helper/kill-switch-not-offered', { variant: 'cannot-release' })
    if (found === undefined) {
      throw new CausewayError('helper/not-installed', { variant: 'cannot-release' })
    }
    return releaseKillSwitch({ ...found, onMessage })
  }

  return {
    findHelper: async () => {
      const found = await find()
      return found && { ...found, onMessage }
    },
    wantsKillSwitch: async () => {
      const isOn = await options.killSwitch()
      if (isOn && isWindows && (await find()) === undefined) throw killSwitchNotOffered()
      return isOn
    },
    blocksLocal: options.blocksLocal ?? (() => Promise.resolve(false)),
    release,
    repair: async () => {
      // The service does it by itself, at its start and after each tunnel.
      if (isWindows) return
      try {
        const found = await findHelper(options.helper)
        if (found !== undefined) await repair({ ...found, onMessage })
      } catch (error) {
        reporter.notice(toErrorReport(error))
      }
    },
    afterwards: async (disconnectedByUser) => {
      if (!disconnectedByUser) {
        if (trafficBlock === undefined ? blocked : await trafficBlock.check()) reporter.notice(trafficBlocked)
        return
      }
      if (!blocked) return
      try {
        await release()
      } catch (error) {
        reporter.notice(toErrorReport(error))
        reporter.notice(trafficBlocked)
      }
    },
  }
}

const trafficBlocked = report('helper/traffic-blocked')
