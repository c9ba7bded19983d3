export interface Remote {
  host: string
  port: number
  protocol: 'udp' | 'tcp'
}

/** The remotes of a profile by class, in the order of the ports. A class may be empty. */
export type RemoteClasses = ReturnType<typeof remotesByClass>

/** The two kinds of profile. Each has its own servers, because they push different routes. */
export const servedKinds = ['default-gateway', 'other'] as const
export type ServedKind = (typeof servedKinds)[number]

/** A port of a portal's OpenVPN server. Special ports work in networks that block the normal ones. */
export interface PortalPort {
  class: 'normal' | 'special'
  protocol: 'udp' | 'tcp'
  port: number
}

/** The ports of every profile, in order within each class (field notes, "profile_config"). */
export const portalPorts: readonly PortalPort[] = [
  { class: 'normal', protocol: 'udp', port: 1194 },
  { class: 'normal', protocol: 'tcp', port: 1194 },
  { class: 'special', protocol: 'udp', port: 53 },
  { class: 'special', protocol: 'tcp', port: 443 },
  { class: 'normal', protocol: 'udp', port: 1195 },
  { class: 'normal', protocol: 'tcp', port: 1195 },
]

export function remotesByClass(places: readonly (PortalPort & { host: string })[]) {
  const remotes = (wanted: PortalPort['class'], protocol: 'udp' | 'tcp'): Remote[] =>
    places
      .filter((place) => place.class === wanted && place.protocol === protocol)
      .map(({ host, port }) => ({ host, port, protocol }))
  return {
    normal: { udp: remotes('normal', 'udp'), tcp: remotes('normal', 'tcp') },
    special: { udp: remotes('special', 'udp'), tcp: remotes('special', 'tcp') },
  }
}

/** Returns one of these, chosen at random; none if there is none. */
export function oneOf(remotes: readonly Remote[], random: () => number): Remote[] {
  const chosen = Math.floor(random() * remotes.length)
  return remotes.slice(chosen, chosen + 1)
}

/** Selects remotes (section 4): 2 all, UDP first; 1 or none a random one of each class; any other the first of each. */
export function chooseRemotes(
  { normal, special }: RemoteClasses,
  strategy: string | undefined,
  random: () => number,
): Remote[] {
  if (strategy === '2') return [...normal.udp, ...special.udp, ...normal.tcp, ...special.tcp]
  const isRandom = strategy === undefined || strategy === '1'
  return [normal.udp, normal.tcp, special.udp, special.tcp].flatMap((remotes) =>
    isRandom ? oneOf(remotes, random) : remotes.slice(0, 1),
  )
}
