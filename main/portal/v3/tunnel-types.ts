import type { VpnProtocol, Wanted } from '../portal'
import type { ProfileV3 } from './info'

/** The media types of configurations. Portals compare them as exact strings, without wildcards and quality values. */
export const mediaTypes = {
  'wireguard+udp': 'application/x-wireguard-profile',
  'wireguard+tcp': 'application/x-wireguard+tcp-profile',
  openvpn: 'application/x-openvpn-profile',
} as const

export type TunnelType = keyof typeof mediaTypes

/**
 * Returns the types of tunnels to ask a portal for; none if the profile has none that this computer can run.
 *
 * @param runnable the protocols that this computer can run
 */
export function wantedTypes(
  profile: Pick<ProfileV3, 'protocols' | 'transports'>,
  wanted: Wanted,
  runnable: readonly VpnProtocol[],
): TunnelType[] {
  const may = (protocol: VpnProtocol): boolean =>
    runnable.includes(protocol) &&
    (wanted.protocol ?? protocol) === protocol &&
    (protocol === 'openvpn' || wanted.handshakeOnly !== true)
  if (profile.protocols?.some(may) === false) return []
  const overTcp = isOverTcp(profile, wanted, runnable)
  const types: TunnelType[] = []
  if (may('wireguard')) {
    const hasUdp = profile.transports?.includes('wireguard+udp') !== false
    if (!overTcp && hasUdp) types.push('wireguard+udp')
    // Where WireGuard alone is wanted, the choice between both is made here.
    if (overTcp || !hasUdp || wanted.protocol === undefined) types.push('wireguard+tcp')
  }
  if (may('openvpn')) types.push('openvpn')
  return types
}

/** Returns the protocol of what a portal grants if it is asked for these types: most prefer WireGuard. */
export function likelyProtocol(
  { protocols }: Pick<ProfileV3, 'protocols'>,
  types: readonly TunnelType[],
): VpnProtocol | undefined {
  const mayBe = (protocol: VpnProtocol) =>
    types.some((type) => type.startsWith(protocol)) && protocols?.includes(protocol) !== false
  return (['wireguard', 'openvpn'] as const).find(mayBe)
}

/** Returns whether the portal is asked for TCP: because the user wants it, or because it helps and the profile has it. */
export function isOverTcp(
  profile: Pick<ProfileV3, 'protocols' | 'transports'>,
  wanted: Wanted,
  runnable: readonly VpnProtocol[],
): boolean {
  return wanted.preferTcp || (wanted.tcpFirst === true && mayHaveTcp(profile, wanted, runnable))
}

/** Returns whether the profile can have TCP with the wanted protocol. Older portals don't say, and have it for OpenVPN only. */
export function mayHaveTcp(
  { protocols, transports }: Pick<ProfileV3, 'protocols' | 'transports'>,
  { protocol, handshakeOnly }: Wanted,
  runnable: readonly VpnProtocol[],
): boolean {
  const may = (each: VpnProtocol) => runnable.includes(each) && (protocol ?? each) === each
  if (transports === undefined) return may('openvpn') && protocols?.includes('openvpn') !== false
  return (
    (may('openvpn') && transports.includes('openvpn+tcp')) ||
    (may('wireguard') && handshakeOnly !== true && transports.includes('wireguard+tcp'))
  )
}
