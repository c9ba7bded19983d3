import { CausewayError } from '../errors'
import { type Launch, type LaunchRequest, helperLauncher } from '../privilege/helper-client'
import { killSwitchNeedsHelper } from '../privilege/kill-switch'
import { canConfigureNetwork } from '../privilege/network-rights'
import type { Privilege } from '../privilege/privilege'
import { createDirectLauncher } from './openvpn/direct-launcher'
import { findWindowsLauncher } from './openvpn/windows-service'
import type { TunnelOptions } from './tunnel'

export interface LaunchersOptions {
  readonly privilege: Pick<Privilege, 'findHelper'>
  /** Returns the path of OpenVPN that the user chose; undefined to search the usual folders. */
  readonly openVpnPath: () => Promise<string | undefined>
  /** A private folder in the data directory for the files of one tunnel at a time; needed on Windows. */
  readonly tunnelFolder?: string
  /** Returns the launcher with more rights than this process, at each start; default: the system's (docs/platforms.md). */
  readonly findPrivileged?: () => Promise<Launch | undefined>
  readonly mayConfigureNetwork?: () => Promise<boolean>
  /** Default: this computer's. */
  readonly platform?: NodeJS.Platform
}

/** Chooses what starts the programs of tunnels. */
export class Launchers {
  /** Starts programs with the rights of this process. */
  readonly direct: Launch
  readonly #options: LaunchersOptions
  readonly #platform: NodeJS.Platform
  // Cached, because it does not change while this process runs.
  #mayConfigureNetwork: Promise<boolean> | undefined

  constructor(options: LaunchersOptions) {
    this.#options = options
    this.#platform = options.platform ?? process.platform
    this.direct = createDirectLauncher(options.openVpnPath)
  }

  /**
   * Returns the privileged launcher if there is one, because only it can set DNS servers; a handshake needs no rights. Throws
   * `helper/not-installed` without the rights that the tunnel needs, or that its kill switch needs.
   */
  async find(
    command: LaunchRequest['command'],
    mode: TunnelOptions['mode'],
    killSwitch: boolean,
  ): Promise<Launch> {
    if (mode === 'handshake-only') return this.direct
    const { findPrivileged, mayConfigureNetwork = canConfigureNetwork } = this.#options
    const privileged = await (findPrivileged === undefined
      ? this.#findSystems(command, killSwitch)
      : findPrivileged())
    if (privileged !== undefined) return privileged
    if (command === 'run') {
      if (killSwitch) throw killSwitchNeedsHelper()
      this.#mayConfigureNetwork ??= mayConfigureNetwork()
      if (await this.#mayConfigureNetwork) return this.direct
    }
    const variant = this.#platform === 'win32' ? 'service' : undefined
    throw new CausewayError('helper/not-installed', { variant })
  }

  async #findSystems(command: LaunchRequest['command'], killSwitch: boolean): Promise<Launch | undefined> {
    const { privilege, tunnelFolder } = this.#options
    if (this.#platform === 'win32' && command === 'run' && tunnelFolder !== undefined)
      return findWindowsLauncher(tunnelFolder, killSwitch ? () => privilege.findHelper() : undefined)
    const helper = await privilege.findHelper()
    return helper && helperLauncher(helper)
  }
}
