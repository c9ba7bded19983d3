import { execa } from 'execa'

import { CausewayError, type ErrorReport, toErrorReport } from '../../errors'
import { findHelper } from '../../privilege/find-helper'
import { createHelperLauncher, helperCommand, helperDidNotStart } from '../../privilege/helper-launcher'
import { type HelperWord, parseHelperWord } from '../../privilege/helper-words'
import { createStartTunnel } from './start-tunnel'
import type { TrafficBlock } from '../../privilege/traffic-block'
import type { StartTunnel } from '../tunnel'
import { findWindowsLauncher, killSwitchNotOffered, withoutKillSwitch } from './windows-service'

export interface TunnelRightsOptions {
  readonly openVpnPath: () => Promise<string | undefined>
  /** The setting. */
  readonly killSwitch: () => Promise<boolean>
  /** Something that the user should know and that stops nothing. */
  readonly onNotice: (notice: ErrorReport) => void
  /** What is known of the kill switch over runs; without it, only what this run has done. */
  readonly trafficBlock?: Pick<TrafficBlock, 'isOn' | 'set'>
  /** Where the helper is, other than the place where it is installed. */
  readonly helper?: string
  /** A folder of this data directory's own for the files of one tunnel at a time; needed on Windows. */
  readonly tunnelFolder?: string
}

/** Tunnels with the rights that this system gives, and what outlives a tunnel: the kill switch. */
export interface TunnelRights {
  readonly startTunnel: StartTunnel
  /** Lifts the kill switch, also one that an earlier run left. Throws `helper/*`. */
  release(): Promise<'released' | 'none'>
  /**
   * To be called when tunnel and attempts are over. The user's own disconnecting lifts the kill switch; after anything
   * else it stays, and the user is told how to lift it. Never throws.
   */
  afterwards(disconnectedByUser: boolean): Promise<void>
}

export function createTunnelRights(options: TunnelRightsOptions): TunnelRights {
  const { onNotice, tunnelFolder } = options
  let blocked = false

  const remember = (blocks: boolean) => {
    blocked = blocks
    try {
      options.trafficBlock?.set(blocks)
    } catch {
      onNotice(blockNotRemembered)
    }
  }

  const onWord = (word: HelperWord) => {
    if (word.word === 'kill-switch') remember(word.state === 'on' || word.state === 'left')
    if (word.word === 'repaired') {
      onNotice({
        code: 'helper/repaired',
        message: 'A connection had ended without cleaning up. What it left behind is gone now.',
      })
    }
  }

  const startTunnel = createStartTunnel({
    binary: options.openVpnPath,
    killSwitch: process.platform === 'darwin' ? withoutKillSwitch(options.killSwitch) : options.killSwitch,
    ...(['linux', 'darwin'].includes(process.platform) && {
      findPrivileged: async () => {
        const found = await findHelper(options.helper)
        return found && createHelperLauncher({ ...found, onWord })
      },
    }),
    ...(process.platform === 'win32' &&
      tunnelFolder !== undefined && {
        killSwitch: withoutKillSwitch(options.killSwitch),
        findPrivileged: () => findWindowsLauncher(tunnelFolder),
      }),
  })

  async function release(): Promise<'released' | 'none'> {
    if (process.platform === 'win32') throw killSwitchNotOffered()
    const found = await findHelper(options.helper)
    if (found === undefined) {
      throw new CausewayError(
        'helper/not-installed',
        "Causeway's helper is not installed, so there is no kill switch of Causeway's that it could lift. Install it with: causeway helper install",
      )
    }
    const [program, ...words] = helperCommand(found.helper, found.elevation, 'release')
    const { stderr, exitCode } = await execa(program, words, {
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
      extendEnv: false,
      stdin: 'ignore',
      reject: false,
      timeout: 60_000,
    })
    const said = stderr.split('\n').flatMap((line) => parseHelperWord(line) ?? [])
    said.forEach(onWord)
    const state = said.find((word) => word.word === 'kill-switch')?.state
    if (state !== 'released' && state !== 'none') {
      throw said.find((word) => word.word === 'error')?.error ?? helperDidNotStart(found.elevation, exitCode)
    }
    return state
  }

  return {
    startTunnel: async (start) =>
      startTunnel({
        ...start,
        onEvent: (event) => {
          if (event.event === 'connected' && event.details.dns?.applied === false) onNotice(dnsNotSet)
          start.onEvent(event)
        },
      }),
    release,
    afterwards: async (disconnectedByUser) => {
      if (!disconnectedByUser) {
        if (blocked || options.trafficBlock?.isOn() === true) onNotice(trafficBlocked)
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

const dnsNotSet: ErrorReport = {
  code: 'helper/dns-not-set',
  message:
    'The name servers of this VPN could not be set, so names are still looked up outside of it. Install systemd-resolved or resolvconf, and the helper (causeway helper install), then connect again.',
}

const blockNotRemembered: ErrorReport = {
  code: 'data/unwritable',
  message:
    'Causeway cannot write down whether its kill switch blocks traffic. Check that the disk is not full. If traffic stays blocked, lift it with: causeway connect --release',
}

const trafficBlocked: ErrorReport = {
  code: 'helper/traffic-blocked',
  message:
    'The kill switch keeps all traffic blocked, also that to the portal of your VPN. Lift it with: causeway connect --release. Then connect again.',
}
