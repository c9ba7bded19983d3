import { startFullTunnel } from './full-tunnel'
import { startHandshakeTunnel } from './handshake-tunnel'
import { requireProgram } from './programs'
import type { Tunnel, TunnelOptions } from './tunnel'
import { messageOf } from '../../errors'

/**
 * Starts the OpenVPN servers of the profiles: with tun devices in a namespace if permitted, otherwise for handshakes only,
 * with the reason in the status. A default route is only pushed on demand, because a client on the same machine must not
 * lose its other connections. The route to the network behind the servers is always pushed. Rejects if OpenVPN is not
 * installed.
 */
export async function startTunnel(options: TunnelOptions): Promise<Tunnel> {
  requireProgram('openvpn')
  if (process.platform !== 'linux' || process.getuid?.() !== 0) {
    return startHandshakeTunnel(options, 'A network namespace and a tun device need root on Linux.')
  }
  try {
    return await startFullTunnel(options)
  } catch (error) {
    const cause = messageOf(error)
    return startHandshakeTunnel(options, `No tunnel in a network namespace: ${cause}`)
  }
}
