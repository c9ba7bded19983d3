/** Returns a test for the features that came with a version, of one in a list that starts with the oldest. */
const since =
  <V>(versions: readonly V[], version: V) =>
  (first: V): boolean =>
    versions.indexOf(version) >= versions.indexOf(first)

/** The simulated portal versions with version 2 of the API, oldest first (vpn-application-api.md, section 9). */
export const portalVersions = ['2.1.0', '2.2.8', '2.3.0', '2.4.5'] as const
export type PortalVersion = (typeof portalVersions)[number]

export const newestPortal: PortalVersion = '2.4.5'

/** `iss` in redirects (RFC 9207), with or without its final slash. */
type Issuer = 'none' | 'with slash' | 'without slash'

/** Returns the features of a portal version. Not simulated: RSA keys of old portals, which take too long to generate. */
export function portalFeatures(version: PortalVersion) {
  const has = since(portalVersions, version)
  return {
    showsDefaultGateway: has('2.3.0'),
    /** profile_config supports remote_strategy. Older portals always select a random remote of each class. */
    supportsRemoteStrategy: has('2.2.8'),
    /** The error of profile_config for a profile that doesn't exist, is hidden, or isn't permitted. */
    profileRefusal: has('2.2.8')
      ? 'profile not available or no permission'
      : 'user has no access to this profile',
    sendsVersion: has('2.2.8'),
    issuer: (has('2.4.5') ? 'without slash' : 'none') satisfies Issuer as Issuer,
  }
}

/** The simulated portals with version 3 of the API, oldest first: those with a change that clients can see. */
export const portal3Versions = [
  '3.0.0',
  '3.1.0',
  '3.4.3',
  '3.5.6',
  '3.6.0',
  '3.7.0',
  '3.7.1',
  '3.8.0',
  '3.9.8',
  '3.9.10',
  '3.9.12',
  '3.10.3',
  '3.12.0',
  '3.13.1',
] as const
export type Portal3Version = (typeof portal3Versions)[number]

export const newestPortal3: Portal3Version = '3.13.1'

export type Portal3Features = ReturnType<typeof portal3Features>

export function portal3Features(version: Portal3Version) {
  const has = since(portal3Versions, version)
  const issuer = (): Issuer => {
    if (!has('3.1.0')) return 'none'
    return version === '3.7.0' || has('3.9.8') ? 'without slash' : 'with slash'
  }
  return {
    issuer: issuer(),
    showsSearchDomains: has('3.4.3'),
    showsTransports: has('3.5.6'),
    /** WireGuard over TCP, and the protocol selection introduced with it. */
    hasProxyGuard: has('3.6.0'),
    setsKeepalive: has('3.8.0'),
    showsPriority: has('3.9.10'),
    /** Removes the user's other WireGuard configurations with the same public key. */
    removesSameKey: has('3.9.12'),
    hasMacosScheme: has('3.10.3'),
    knowsGovVpn: !has('3.5.6'),
    hasAndroidPlatformScheme: has('3.4.3'),
    postsForms: has('3.12.0'),
    writesComments: !has('3.13.1'),
  }
}
