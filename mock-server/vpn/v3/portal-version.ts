/**
 * The simulated portal versions with version 3 of the API, oldest first: those with a change that clients can see
 * (api-v3-facts.md, sections 3 to 5).
 */
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

/** The default portal version. */
export const newestPortal3: Portal3Version = '3.13.1'

/** Features that differ between portal versions. */
export interface Portal3Features {
  /** `iss` in redirects, with or without its final slash. */
  issuer: 'none' | 'with slash' | 'without slash'
  showsSearchDomains: boolean
  showsTransports: boolean
  /** WireGuard over TCP, and the protocol selection introduced with it. */
  hasProxyGuard: boolean
  setsKeepalive: boolean
  showsPriority: boolean
  /** Removes the user's other WireGuard configurations with the same public key. */
  removesSameKey: boolean
  /** Allows redirect URIs with a custom scheme for macOS clients. */
  hasMacosScheme: boolean
  /** The clients of govVPN are registered. */
  knowsGovVpn: boolean
  /** Allows the redirect URI with the platform in it for Android clients. */
  hasAndroidPlatformScheme: boolean
  /** Desktop clients may ask for `response_mode=form_post`. */
  postsForms: boolean
  /** OpenVPN configurations start with comments. */
  writesComments: boolean
}

/** Returns the features of a portal version. */
export function portal3Features(version: Portal3Version): Portal3Features {
  const isAtLeast = (since: Portal3Version) =>
    portal3Versions.indexOf(version) >= portal3Versions.indexOf(since)
  const issuer = () => {
    if (!isAtLeast('3.1.0')) return 'none'
    return version === '3.7.0' || isAtLeast('3.9.8') ? 'without slash' : 'with slash'
  }
  return {
    issuer: issuer(),
    showsSearchDomains: isAtLeast('3.4.3'),
    showsTransports: isAtLeast('3.5.6'),
    hasProxyGuard: isAtLeast('3.6.0'),
    setsKeepalive: isAtLeast('3.8.0'),
    showsPriority: isAtLeast('3.9.10'),
    removesSameKey: isAtLeast('3.9.12'),
    hasMacosScheme: isAtLeast('3.10.3'),
    knowsGovVpn: !isAtLeast('3.5.6'),
    hasAndroidPlatformScheme: isAtLeast('3.4.3'),
    postsForms: isAtLeast('3.12.0'),
    writesComments: !isAtLeast('3.13.1'),
  }
}
