import type { CausewayError } from '../../errors'

/** Name servers and search domains that a server pushed; each is checked, and there is at least one server. */
export interface PushedDns {
  readonly servers: readonly string[]
  readonly domains: readonly string[]
}

export interface LaunchOptions {
  /** Holds the private key: it goes through a pipe, and into no file, environment or command line. */
  readonly configuration: string
  readonly mode: 'full' | 'handshake-only'
  /** Block what does not go through the tunnel, also after it has ended, until it is lifted. */
  readonly killSwitch: boolean
}

/** How a process ended. `error`: the launcher knows why, and OpenVPN never ran or was ended by the launcher. */
export interface LauncherExit {
  readonly exitCode?: number
  readonly signal?: string
  readonly error?: CausewayError
}

/** An OpenVPN that runs, whoever started it. */
export interface LaunchedOpenVpn {
  /** Calls back with each line of its log; resolves when there will be no more. Called once, and at once. */
  followLog(onLine: (line: string) => void): Promise<void>
  /**
   * Asks it to end, and makes it after about 5 s. OpenVPN loses a gentle signal that comes before it has tried a remote
   * (`hasBegun`).
   */
  end(how: { readonly hasBegun: boolean }): void
  /** Settles when the process is gone; never rejects. */
  readonly exited: Promise<LauncherExit>
  /** Sets the system's name servers for as long as the tunnel lasts; false when it cannot. Absent: it never can. */
  applyDns?(dns: PushedDns): Promise<boolean>
}

/**
 * One way to run OpenVPN with the rights that it needs (openvpn.md, "Launchers"). `launch` resolves once the process
 * runs; it throws `openvpn/not-found`, `openvpn/too-old`, or what keeps this launcher from starting anything.
 */
export interface Launcher {
  readonly name: 'direct' | 'helper' | 'windows-service' | 'macos-helper'
  launch(options: LaunchOptions): Promise<LaunchedOpenVpn>
}
