import type { VpnTransport } from '../profile'

const openvpnProfile = 'application/x-openvpn-profile'
const wireguardProfile = 'application/x-wireguard-profile'
const proxyGuardProfile = 'application/x-wireguard+tcp-profile'

/** The media type of a configuration. */
export const contentTypeOf: Record<VpnTransport, string> = {
  'openvpn+udp': openvpnProfile,
  'openvpn+tcp': openvpnProfile,
  'wireguard+udp': wireguardProfile,
  'wireguard+tcp': proxyGuardProfile,
}

/** Compares whole strings, as portals do; a header without any known type counts as none. */
function acceptedTypes(accept: string | undefined): string[] {
  const known = (accept ?? '')
    .split(',')
    .map((type) => type.trim())
    .filter((type) => Object.values(contentTypeOf).includes(type))
  return known.length === 0 ? [openvpnProfile, wireguardProfile] : known
}

const isTcp = (transport: VpnTransport) => transport.endsWith('+tcp')
const isOpenVpn = (transport: VpnTransport) => transport.startsWith('openvpn')

/**
 * Returns the transport of a configuration; undefined if the profile and the client have none in common
 * (api-v3-facts.md, section 5). `offered` starts with the preferred protocol. Portals before 3.6 (`old`) don't support
 * WireGuard over TCP and select differently.
 */
export function chooseTransport(given: {
  offered: readonly VpnTransport[]
  accept: string | undefined
  hasPublicKey: boolean
  prefersTcp: boolean
  rules: '3.6' | 'old'
}): VpnTransport | undefined {
  const accepted = acceptedTypes(given.accept)
  const possible = given.offered.filter(
    (transport) =>
      accepted.includes(contentTypeOf[transport]) &&
      (isOpenVpn(transport) || given.hasPublicKey) &&
      (given.rules === '3.6' || transport !== 'wireguard+tcp'),
  )
  if (!given.prefersTcp) return possible[0]
  return possible.find(isTcp) ?? possible[0]
}
