import type { GrantedTunnel, TunnelBackend } from './tunnel'

/** The backend of each protocol, which is loaded for the first tunnel that needs it. */
type Loaders = Readonly<Record<GrantedTunnel['protocol'], () => Promise<TunnelBackend<GrantedTunnel>>>>

/** Gives each tunnel to the backend of its protocol. */
export function tunnelBackends(load: Loaders): TunnelBackend<GrantedTunnel> {
  return {
    start: async (tunnel, options) => (await load[tunnel.protocol]()).start(tunnel, options),
    isOutdated: async (held, current, options) =>
      (await load[held.protocol]()).isOutdated(held, current, options),
    describe: async (tunnel, options) => (await load[tunnel.protocol]()).describe(tunnel, options),
  }
}
