/** One `remote` line of a profile configuration. */
export interface Remote {
  host: string
  port: number
  protocol: 'udp' | 'tcp'
}

/** The remotes of a profile by class, each class with the first port first; a class may be empty. */
export interface RemoteClasses {
  normal: { udp: Remote[]; tcp: Remote[] }
  special: { udp: Remote[]; tcp: Remote[] }
}

/** A port at which portals let servers listen: special ones get through where the normal ones are blocked. */
export interface PortalPort {
  class: 'normal' | 'special'
  protocol: 'udp' | 'tcp'
  port: number
}

/** The ports of the portal for every profile, the first of each class first (field notes, "profile_config"). */
export const portalPorts: readonly PortalPort[] = [
  { class: 'normal', protocol: 'udp', port: 1194 },
  { class: 'normal', protocol: 'tcp', port: 1194 },
  { class: 'special', protocol: 'udp', port: 53 },
  { class: 'special', protocol: 'tcp', port: 443 },
  { class: 'normal', protocol: 'udp', port: 1195 },
  { class: 'normal', protocol: 'tcp', port: 1195 },
]

/** Sorts remotes by class and protocol. */
export function remotesByClass(places: readonly (PortalPort & { host: string })[]): RemoteClasses {
  const remotes = (wanted: PortalPort['class'], protocol: 'udp' | 'tcp') =>
    places
      .filter((place) => place.class === wanted && place.protocol === protocol)
      .map(({ host, port }) => ({ host, port, protocol }))
  return {
    normal: { udp: remotes('normal', 'udp'), tcp: remotes('normal', 'tcp') },
    special: { udp: remotes('special', 'udp'), tcp: remotes('special', 'tcp') },
  }
}

/** Remotes at the ports that portals use, on a host where nothing need listen. */
export function plausibleRemotes(host: string): RemoteClasses {
  return remotesByClass(portalPorts.map((place) => ({ ...place, host })))
}

/**
 * The remotes of a configuration for a `remote_strategy` (section 4): 0 the first of each class, 1 or none a random
 * one of each class, 2 all, UDP first; any other value counts as 0. `random` gives numbers in [0, 1).
 */
export function chooseRemotes(
  { normal, special }: RemoteClasses,
  strategy: string | undefined,
  random: () => number,
): Remote[] {
  if (strategy === '2') return [...normal.udp, ...special.udp, ...normal.tcp, ...special.tcp]
  const isRandom = strategy === undefined || strategy === '1'
  return [normal.udp, normal.tcp, special.udp, special.tcp].flatMap((remotes) => {
    const first = isRandom ? Math.floor(random() * remotes.length) : 0
    return remotes.slice(first, first + 1)
  })
}
