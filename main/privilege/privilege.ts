import type { ErrorReport } from '../../contract/error-codes'
import { CausewayError, toErrorReport } from '../errors'
import { findHelper } from './find-helper'
import { type HelperOptions, releaseKillSwitch } from './helper-client'
import type { HelperMessage } from './helper-messages'
import { killSwitchNotOffered, withoutKillSwitch } from './kill-switch'
import type { TrafficBlock } from './traffic-block'

export interface PrivilegeOptions {
  /** The setting. */
  readonly killSwitch: () => Promise<boolean>
  /** Something that the user should know and that stops nothing. */
  readonly onNotice: (notice: ErrorReport) => void
  /** What is known of the kill switch over runs; without it, only what this run has done. */
  readonly trafficBlock?: Pick<TrafficBlock, 'isOn' | 'set'>
  /** The helper's path, where it is not the installed one. */
  readonly helper?: string
}

/** The rights that tunnels get on this system, and what outlives a tunnel: the kill switch. */
export interface Privilege {
  /** The helper, looked for at each start of a tunnel; undefined where it is not installed or there is none. */
  findHelper(): Promise<HelperOptions | undefined>
  /** Whether to start a tunnel with the kill switch. Throws `helper/kill-switch-not-offered`. */
  wantsKillSwitch(): Promise<boolean>
  /** Lifts the kill switch, also one that an earlier run left. Throws `helper/*`. */
  release(): Promise<'released' | 'none'>
  /**
   * To be called when tunnel and attempts are over. The user's own disconnecting lifts the kill switch; after anything
   * else it stays, and the user is told how to lift it. Never throws.
   */
  afterwards(disconnectedByUser: boolean): Promise<void>
}

export function createPrivilege(options: PrivilegeOptions): Privilege {
  const { onNotice, trafficBlock } = options
  let blocked = false

  const remember = (blocks: boolean) => {
    blocked = blocks
    try {
      trafficBlock?.set(blocks)
    } catch {
      onNotice(blockNotRemembered)
    }
  }

  const onMessage = (message: HelperMessage) => {
    if (message.message === 'kill-switch') remember(message.state === 'on' || message.state === 'left')
    if (message.message === 'repaired') {
      onNotice({
        code: 'helper/repaired',
        message: 'An earlier connection ended without cleaning up. Causeway has cleaned up after it.',
      })
    }
  }

  async function release(): Promise<'released' | 'none'> {
    if (process.platform === 'win32') throw killSwitchNotOffered()
    const found = await findHelper(options.helper)
    if (found === undefined) {
      throw new CausewayError(
        'helper/not-installed',
        "Causeway's helper isn't installed, so Causeway can't turn off a kill switch. To install the helper, run: causeway helper install",
      )
    }
    return releaseKillSwitch({ ...found, onMessage })
  }

  return {
    findHelper: async () => {
      const found = await findHelper(options.helper)
      return found && { ...found, onMessage }
    },
    wantsKillSwitch:
      process.platform === 'linux' ? options.killSwitch : withoutKillSwitch(options.killSwitch),
    release,
    afterwards: async (disconnectedByUser) => {
      if (!disconnectedByUser) {
        if (blocked || trafficBlock?.isOn() === true) onNotice(trafficBlocked)
        return
      }
      if (!blocked) return
      try {
        await release()
      } catch (error) {
        onNotice(toErrorReport(error))
        onNotice(trafficBlocked)
      }
    },
  }
}

const blockNotRemembered: ErrorReport = {
  code: 'data/unwritable',
  message:
    "Causeway couldn't save whether its kill switch is blocking traffic. Check that there's enough disk space. If traffic stays blocked, run: causeway connect --release",
}

const trafficBlocked: ErrorReport = {
  code: 'helper/traffic-blocked',
  message:
    'The kill switch is blocking all traffic, including traffic to your VPN\'s portal. Run "causeway connect --release" to allow traffic, then connect again.',
}
