import type { Launch } from '../../privilege/helper-client'
import { type OpenTunnelOptions, createTunnelBackend } from '../open-tunnel'
import { wireGuard } from './wireguard'

const notUsed = () => Promise.reject(new Error('not used'))

/** For tests: a backend for WireGuard alone, with this launcher. */
export function wireGuardBackend(
  {
    launch,
    killSwitch,
    onNotice = () => undefined,
    ...parts
  }: {
    readonly launch: Launch | undefined
    readonly killSwitch: boolean
    readonly onNotice?: OpenTunnelOptions['onNotice']
  } & Omit<Parameters<typeof wireGuard>[0], 'secureContext'>,
  options: Pick<Partial<OpenTunnelOptions>, 'routes' | 'platform'> = {},
) {
  const protocol = wireGuard({ secureContext: notUsed, ...parts })
  return createTunnelBackend({
    privilege: { findHelper: notUsed, wantsKillSwitch: () => Promise.resolve(killSwitch) },
    openVpnPath: () => Promise.resolve(undefined),
    findPrivileged: () => Promise.resolve(launch),
    onNotice,
    protocols: {
      openvpn: notUsed,
      wireguard: () => Promise.resolve(protocol),
    },
    ...options,
  })
}
