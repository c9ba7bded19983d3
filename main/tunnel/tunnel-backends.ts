import type { GrantedTunnel, OpenVpnTunnel, TunnelBackend, WireGuardTunnel } from './tunnel'

/** The backend of each protocol, loaded for its first tunnel. */
interface Loaders {
  readonly openvpn: () => Promise<TunnelBackend<OpenVpnTunnel>>
  readonly wireguard: () => Promise<TunnelBackend<WireGuardTunnel>>
}

/** Creates a backend that passes each tunnel to the backend of its protocol. */
export function tunnelBackends(load: Loaders): TunnelBackend<GrantedTunnel> {
  return {
    start: async (tunnel, options) =>
      tunnel.protocol === 'openvpn'
        ? (await load.openvpn()).start(tunnel, options)
        : (await load.wireguard()).start(tunnel, options),
    isOutdated: async (held, current, options) => {
      if (held.protocol === 'openvpn' && current.protocol === 'openvpn')
        return (await load.openvpn()).isOutdated(held, current, options)
      if (held.protocol === 'wireguard' && current.protocol === 'wireguard')
        return (await load.wireguard()).isOutdated(held, current, options)
      return true
    },
    describe: async (tunnel, options) =>
      tunnel.protocol === 'openvpn'
        ? (await load.openvpn()).describe(tunnel, options)
        : (await load.wireguard()).describe(tunnel, options),
  }
}
