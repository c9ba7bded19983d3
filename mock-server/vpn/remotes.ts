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

/** Remotes at the ports that portals use, on a host where nothing need listen. */
export function plausibleRemotes(host: string): RemoteClasses {
  const remotes = (protocol: 'udp' | 'tcp', ...ports: number[]) =>
    ports.map((port) => ({ host, port, protocol }))
  return {
    normal: { udp: remotes('udp', 1194, 1195), tcp: remotes('tcp', 1194, 1195) },
    special: { udp: remotes('udp', 53), tcp: remotes('tcp', 443) },
  }
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
