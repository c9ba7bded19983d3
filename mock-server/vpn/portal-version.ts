/** The portals that can be played, oldest first (vpn-application-api.md, section 9). */
export const portalVersions = ['2.1.0', '2.2.8', '2.3.0', '2.4.5'] as const

export type PortalVersion = (typeof portalVersions)[number]

/** The one that is played unless another is asked for. */
export const newestPortal: PortalVersion = '2.4.5'

/** What came with time (section 9; field notes). */
export interface PortalFeatures {
  /** profile_list says default_gateway. */
  showsDefaultGateway: boolean
  /** profile_config heeds remote_strategy; before, every configuration had a random remote of each class. */
  heedsRemoteStrategy: boolean
  /** create_keypair refuses to work without display_name. */
  demandsDisplayName: boolean
  /** info.json says which version it comes from. */
  saysVersion: boolean
  /** The authorization endpoint names itself, `iss` (RFC 9207). */
  saysIssuer: boolean
}

/**
 * What a portal of this version does. Keys are P-256 for all, though old ones made RSA keys, which takes too long; and
 * a localized display_name stays an object, though from 2.3.6 portals chose the language themselves.
 */
export function portalFeatures(version: PortalVersion): PortalFeatures {
  const isAtLeast = (since: PortalVersion) => portalVersions.indexOf(version) >= portalVersions.indexOf(since)
  return {
    showsDefaultGateway: isAtLeast('2.3.0'),
    heedsRemoteStrategy: isAtLeast('2.2.8'),
    demandsDisplayName: !isAtLeast('2.3.0'),
    saysVersion: isAtLeast('2.4.5'),
    saysIssuer: isAtLeast('2.4.5'),
  }
}
