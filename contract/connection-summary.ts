// In its own file so that the first view doesn't load the state's schema.
import type { Carried, ConnectionState, ConnectionTarget, TunnelDetails } from './connection'

/** True from the moment the user asks for a tunnel until nothing of it is left. */
export function isUnderWay({ state }: ConnectionState): boolean {
  return state !== 'idle' && state !== 'disconnected' && state !== 'failed'
}

/** Returns true for a connection to a service, also for one that is being ended for another. */
export function isTo(state: ConnectionState, instanceId: string): boolean {
  if (!('target' in state)) return false
  const from = state.state === 'disconnecting' ? state.from : undefined
  return state.target.instanceId === instanceId || from?.instanceId === instanceId
}

/** Returns whether the profile of a connection is said to carry all traffic; undefined where its service doesn't say. */
export function promisesAll(
  connection: ConnectionState,
  instances: readonly {
    readonly id: string
    readonly profiles: {
      readonly items: readonly { readonly profileId: string; readonly defaultGateway?: boolean | undefined }[]
    }
  }[],
): boolean | undefined {
  if (!('target' in connection)) return undefined
  const { instanceId, profileId } = connection.target
  const instance = instances.find(({ id }) => id === instanceId)
  return instance?.profiles.items.find((each) => each.profileId === profileId)?.defaultGateway
}

/** What a tunnel carries, as its key under `connection.truth`. */
export type Carries =
  | 'everything'
  | 'namesOutside'
  | 'everythingButLocal'
  | 'everythingButApps'
  | 'onlyApps'
  | 'noApps'
  | 'networks'
  | 'lessThanPromised'
  | 'onlyIpv4'
  | 'exceptions'
  | 'nothing'
  | 'noRoutes'
  | 'unknown'
  | 'checking'

/**
 * Returns how much traffic a tunnel carries, from the routes that stand, as its key under `connection.truth`:
 * `everythingButLocal` where local networks are reached outside it, `everythingButApps` where the person has put apps outside,
 * `onlyApps` where only some use it, `noApps` where none is chosen,
 * `namesOutside` where all traffic uses the tunnel, but names are looked up outside it, `lessThanPromised` where the profile
 * promises all traffic, `onlyIpv4` where IPv6 traffic leaves outside the tunnel, `nothing` where no traffic passes, `noRoutes` where
 * none is sent there, `exceptions` where some networks are reached outside it, `unknown` where the routes couldn't be read,
 * `checking` before.
 */
export function carriedTraffic(
  {
    allTraffic,
    allIpv4,
    outside,
    local = [],
    routes,
    routesUnknown,
    passing,
    dns,
    dnsOutside,
    apps,
  }: Carried & Pick<TunnelDetails, 'dns' | 'apps'> & { readonly passing?: false | undefined },
  promisesAll: boolean | undefined,
): Carries {
  if (passing === false) return 'nothing'
  if (allTraffic === undefined) return 'checking'
  if (apps?.mode === 'only') return apps.inside.length > 0 ? 'onlyApps' : 'noApps'
  if (allTraffic && (dns?.applied !== true || dnsOutside !== undefined)) return 'namesOutside'
  if (allTraffic && (apps?.outside.length ?? 0) > 0) return 'everythingButApps'
  if (allTraffic) return local.length > 0 ? 'everythingButLocal' : 'everything'
  if (routesUnknown === true) return 'unknown'
  if (routes?.length === 0) return 'noRoutes'
  if (outside !== undefined) return 'exceptions'
  if (allIpv4 === true) return 'onlyIpv4'
  return promisesAll === true ? 'lessThanPromised' : 'networks'
}

/** Returns true if a tunnel carries what its profile promises. */
export function isAsPromised(carried: Carries): boolean {
  switch (carried) {
    case 'everything':
    case 'everythingButLocal':
    case 'everythingButApps':
    case 'onlyApps':
    case 'networks':
      return true
    case 'namesOutside':
    case 'noApps':
    case 'lessThanPromised':
    case 'onlyIpv4':
    case 'exceptions':
    case 'nothing':
    case 'noRoutes':
    case 'unknown':
    case 'checking':
      return false
  }
}

/** Returns what is missing from a tunnel that carries something, as its key under `connection.glance`; undefined if nothing is. */
export function lessThanAll(
  carried: Exclude<Carries, 'nothing'>,
): 'less' | 'names' | 'none' | 'unknown' | 'checking' | undefined {
  switch (carried) {
    case 'everything':
    case 'everythingButLocal':
    case 'everythingButApps':
    case 'onlyApps':
    case 'networks':
      return undefined
    case 'lessThanPromised':
    case 'onlyIpv4':
    case 'exceptions':
      return 'less'
    case 'namesOutside':
      return 'names'
    case 'noRoutes':
    case 'noApps':
      return 'none'
    case 'unknown':
    case 'checking':
      return carried
  }
}

/** Returns all networks that stay outside a tunnel, local ones among them. */
export function networksOutside({ outside = [], local = [] }: Carried): {
  readonly outside?: readonly string[]
} {
  return outside.length + local.length > 0 ? { outside: [...outside, ...local] } : {}
}

/** Returns true before the first tunnel of a connection, also if the attempt was given up. */
export function isNotYetConnected(connection: {
  readonly state: ConnectionState['state']
  readonly notYetConnected?: true | undefined
}): boolean {
  switch (connection.state) {
    case 'discovering':
    case 'authorizing':
    case 'preparing':
    case 'connecting':
      return true
    case 'reconnecting':
    case 'disconnecting':
    case 'disconnected':
      return connection.notYetConnected === true
    case 'idle':
    case 'connected':
    case 'failed':
      return false
  }
}

/** Returns whether the access to a service has ended at `now` (ms since the epoch), so that nothing but renewing it helps. */
export function isAccessOver(
  { id, ends }: { readonly id: string; readonly ends?: { readonly at: number } | undefined },
  connection: ConnectionState,
  now: number,
): boolean {
  const isHere = 'target' in connection && connection.target.instanceId === id
  if (isHere && connection.state === 'failed' && connection.error.code === 'session/over') return true
  // A tunnel that still stands is renewed with its own button.
  return ends !== undefined && ends.at <= now && !(isHere && isUnderWay(connection))
}

/** The parts of an instance that `connectTarget` goes by. */
interface KnownProfiles {
  readonly id: string
  readonly profiles: {
    readonly items: readonly { readonly profileId: string; readonly notSupported?: true | undefined }[]
  }
}

interface KnownState {
  readonly connection: ConnectionState
  readonly instances: readonly KnownProfiles[]
  readonly shortcuts: { readonly recent: readonly ConnectionTarget[] }
}

/**
 * Returns the profile to connect to if nobody is there to see it: that of the connection that is shown, else the one that was
 * connected last, else the only one there is. Undefined where that leaves a choice, or nothing. Profiles that Causeway
 * doesn't support are left out.
 */
export function unattendedTarget(state: KnownState): ConnectionTarget | undefined {
  return usedTarget(state) ?? (offeredTargets(state).length === 1 ? offeredTargets(state)[0] : undefined)
}

/** Returns the profile that Connect names if the person chose none: like `unattendedTarget`, but of several the first. */
export function connectTarget(state: KnownState): ConnectionTarget | undefined {
  return usedTarget(state) ?? offeredTargets(state)[0]
}

function usedTarget({ connection, instances, shortcuts }: KnownState): ConnectionTarget | undefined {
  const current = 'target' in connection ? [connection.target] : []
  return [...current, ...shortcuts.recent].find(({ instanceId, profileId }) =>
    instances.some(
      // The profiles are not known while nobody is logged in; the login comes on the way.
      ({ id, profiles: { items } }) =>
        id === instanceId &&
        (items.length === 0 ||
          items.some((item) => item.profileId === profileId && item.notSupported !== true)),
    ),
  )
}

function offeredTargets({ instances }: KnownState): ConnectionTarget[] {
  return instances.flatMap(({ id, profiles }) =>
    profiles.items
      .filter(({ notSupported }) => notSupported !== true)
      .map(({ profileId }) => ({ instanceId: id, profileId })),
  )
}
