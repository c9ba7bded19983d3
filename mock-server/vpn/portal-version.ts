/** The simulated portal versions with version 2 of the API, oldest first (vpn-application-api.md, section 9). */
export const portalVersions = ['2.1.0', '2.2.8', '2.3.0', '2.4.5'] as const

export type PortalVersion = (typeof portalVersions)[number]

/** The default portal version. */
export const newestPortal: PortalVersion = '2.4.5'

/**
 * Features that differ between portal versions (section 9; field notes). None of them requires display_name in
 * create_keypair: portals dropped it in 2.0.0.
 */
interface PortalFeatures {
  /** profile_list contains default_gateway. */
  showsDefaultGateway: boolean
  /** profile_config supports remote_strategy. Older portals always select a random remote of each class. */
  supportsRemoteStrategy: boolean
  /** The error of profile_config for a profile that doesn't exist, is hidden, or isn't permitted. */
  profileRefusal: string
  /** info.json contains the version of the portal. */
  sendsVersion: boolean
  /** The authorization endpoint sends `iss` (RFC 9207). */
  sendsIssuer: boolean
}

/**
 * Returns the features of a portal version. Not simulated: RSA keys of old portals, which take too long to generate, and
 * the choice of language in display_name by portals since 2.3.6.
 */
export function portalFeatures(version: PortalVersion): PortalFeatures {
  const isAtLeast = (since: PortalVersion) => portalVersions.indexOf(version) >= portalVersions.indexOf(since)
  return {
    showsDefaultGateway: isAtLeast('2.3.0'),
    supportsRemoteStrategy: isAtLeast('2.2.8'),
    profileRefusal: isAtLeast('2.2.8')
      ? 'profile not available or no permission'
      : 'user has no access to this profile',
    sendsVersion: isAtLeast('2.2.8'),
    sendsIssuer: isAtLeast('2.4.5'),
  }
}
