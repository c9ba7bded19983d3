import type { TunnelProgram } from '../../privilege/helper-client'

export interface LaunchOptions {
  /** Holds the private key: it goes through a pipe, and into no file, environment or command line. */
  readonly configuration: string
  readonly mode: 'full' | 'handshake-only'
  /** Block what does not go through the tunnel, also after it has ended, until it is lifted. */
  readonly killSwitch: boolean
}

/**
 * One way to run OpenVPN with the rights that it needs (openvpn.md, "Launchers"). `launch` resolves once the process
 * runs; it throws `openvpn/not-found`, `openvpn/too-old`, or what keeps this launcher from starting anything.
 */
export interface Launcher {
  readonly name: 'direct' | 'helper' | 'windows-service' | 'macos-helper'
  launch(options: LaunchOptions): Promise<TunnelProgram>
}
