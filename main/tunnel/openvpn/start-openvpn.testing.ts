import { type OpenTunnelOptions, createTunnelBackend } from '../open-tunnel'
import type { OpenVpnTunnel, StartOptions, Tunnel, TunnelBackend } from '../tunnel'
import type { OpenVpnConfiguration } from './configuration'
import { prepareOpenVpn } from './openvpn'

export interface StartTunnel {
  (
    start: Pick<StartOptions, 'mode' | 'onEvent'> &
      Partial<Pick<StartOptions, 'target'>> & {
        readonly configuration: OpenVpnConfiguration
      },
  ): Promise<Tunnel>
  readonly getReady: TunnelBackend['getReady']
}

const unused = () => Promise.reject(new Error('not used'))

/** Returns a function that starts OpenVPN like the app, but with a configuration that the test has made. */
export function createStartTunnel({
  binary,
  killSwitch = () => Promise.resolve(false),
  ...options
}: Partial<Omit<OpenTunnelOptions, 'protocols' | 'openVpnPath'>> & {
  readonly binary?: string | (() => Promise<string | undefined>) | undefined
  readonly killSwitch?: () => Promise<boolean>
} = {}): StartTunnel {
  const configurations = new WeakMap<OpenVpnTunnel, OpenVpnConfiguration>()
  const backend = createTunnelBackend({
    privilege: { findHelper: () => Promise.resolve(undefined), wantsKillSwitch: killSwitch },
    onNotice: () => undefined,
    ...options,
    openVpnPath: async () => (typeof binary === 'function' ? binary() : binary),
    protocols: {
      openvpn: () =>
        Promise.resolve({
          prepare: (tunnel, { mode }) =>
            Promise.resolve(prepareOpenVpn(configurations.get(tunnel) ?? { text: '', remotes: [] }, mode)),
          isOutdated: unused,
          describe: unused,
        }),
      wireguard: unused,
    },
  })
  const start = ({
    configuration,
    mode,
    onEvent,
    target = { instanceId: 'vpn.example.org', profileId: 'internet' },
  }: Parameters<StartTunnel>[0]): Promise<Tunnel> => {
    const tunnel = { protocol: 'openvpn', profile: '', certificate: '', privateKey: '' } as const
    configurations.set(tunnel, configuration)
    return backend.openTunnel(tunnel, { target, mode, preferTcp: false, avoid: [], onEvent })
  }
  return Object.assign(start, { getReady: backend.getReady })
}
