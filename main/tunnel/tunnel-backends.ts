import type { GrantedTunnel, TunnelBackend } from './tunnel'

/** The backend of each protocol, loaded for its first tunnel. */
type Loaders = Readonly<Record<GrantedTunnel['protocol'], () => Promise<TunnelBackend<GrantedTunnel>>>>

/** Creates a backend that passes each tunnel to the backend of its protocol. */
export function tunnelBackends(load: Loaders): TunnelBackend<GrantedTunnel> {
  return {
    start: async (tunnel, options) => (await load[tunnel.protocol]()).start(tunnel, options),
    isOutdated: async (held, current, options) =>
      (await load[held.protocol]()).isOutdated(held, current, options),
    describe: async (tunnel, options) => (await load[tunnel.protocol]()).describe(tunnel, options),
  }
}
