/** The portals that can be played, oldest first (vpn-application-api.md, section 9). */
export const portalVersions = ['2.1.0', '2.2.8', '2.3.0', '2.4.5'] as const

export type PortalVersion = (typeof portalVersions)[number]
