import type { TunnelProgram } from '../../privilege/helper-client'

interface LaunchOptions {
  /** Contains the private key: passed through a pipe, never in a file, environment or command line. */
  readonly configuration: string
  readonly mode: 'full' | 'handshake-only'
  /** Blocks traffic outside the tunnel, also after it has ended, until the block is lifted. */
  readonly killSwitch: boolean
}

/**
 * A way to run OpenVPN with the required rights (openvpn.md, "Launchers"). `launch` resolves once the process runs; it
 * throws `openvpn/not-found`, `openvpn/too-old`, or the launcher's own errors.
 */
export interface Launcher {
  readonly name: 'direct' | 'helper' | 'windows-service' | 'macos-helper'
  launch(options: LaunchOptions): Promise<TunnelProgram>
}
