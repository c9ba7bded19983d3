import type { Carries } from './connection-summary'

/**
 * What becomes of one kind of traffic. `through`: it uses the VPN; `direct`: it leaves without it; `less`: it leaves without it
 * although the profile promises otherwise; `waiting`: it stays on this computer until the VPN is up (again); `yourTurn`: until the
 * person has signed in; `stuck`: nothing comes back through the VPN; `blocked`: the kill switch keeps it on this computer; `walled`: the network lets
 * nothing through before the person has signed in to it; `closing`: the VPN is being disconnected; `unknown`: the routes aren't known.
 */
export type Lane =
  | 'through'
  | 'direct'
  | 'less'
  | 'waiting'
  | 'yourTurn'
  | 'stuck'
  | 'blocked'
  | 'walled'
  | 'closing'
  | 'unknown'

/** The traffic for the organization's networks, and all other traffic. */
export interface Lanes {
  readonly organization: Lane
  readonly rest: Lane
  /** That of apps which are on the other side than the rest; absent without them. */
  readonly apps?: Lane
}

export const direct: Lanes = { organization: 'direct', rest: 'direct' }
export const walled: Lanes = { organization: 'walled', rest: 'walled' }

/** Returns what becomes of traffic while a tunnel is up. */
export function lanesOf(carried: Carries, allTraffic: boolean): Lanes {
  switch (carried) {
    case 'everything':
    case 'namesOutside':
    case 'everythingButLocal':
      return { organization: 'through', rest: 'through' }
    case 'everythingButApps':
      return { organization: 'through', rest: 'through', apps: 'direct' }
    case 'onlyApps':
      return { organization: 'through', rest: 'direct', apps: 'through' }
    case 'networks':
      return { organization: 'through', rest: 'direct' }
    case 'lessThanPromised':
    case 'onlyIpv4':
    case 'exceptions':
      return { organization: 'through', rest: 'less' }
    case 'nothing':
      return { organization: 'stuck', rest: allTraffic ? 'stuck' : 'direct' }
    case 'noRoutes':
    case 'noApps':
      return direct
    case 'unknown':
    case 'checking':
      return { organization: 'unknown', rest: 'unknown' }
  }
}

/** Returns what becomes of other traffic while the routes of a lost tunnel stand. */
export function restWhileKept(allTraffic: boolean | undefined): Lane {
  return allTraffic === undefined ? 'unknown' : allTraffic ? 'waiting' : 'direct'
}
