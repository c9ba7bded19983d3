import { startFullTunnel } from './full-tunnel'
import { startHandshakeTunnel } from './handshake-tunnel'
import { requireProgram } from './programs'
import type { Tunnel, TunnelOptions } from './tunnel'

/**
 * Starts OpenVPN servers behind the profiles: with tun devices in a namespace where that is permitted, else for
 * handshakes only, and then the status says why. A client started beside the mock must not lose its machine's own
 * connections, so a default route is pushed only on demand; the network behind the servers always is.
 * Rejects when OpenVPN is not installed.
 */
export async function startTunnel(options: TunnelOptions): Promise<Tunnel> {
  requireProgram('openvpn')
  if (process.platform !== 'linux' || process.getuid?.() !== 0) {
    return startHandshakeTunnel(options, 'A network namespace and a tun device need root on Linux.')
  }
  try {
    return await startFullTunnel(options)
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error)
    return startHandshakeTunnel(options, `No tunnel in a network namespace: ${cause}`)
  }
}
