import { type AddressRange, covers, prefixLength, prefixRange, rangesOf } from './address-range'

/** One route of this computer. */
export interface SystemRoute {
  /** Such as `10.0.0.0/8`, or a single address. */
  readonly prefix: string
  /** The devices that it leads to: none for a route that refuses, several for one with several next hops. */
  readonly devices: readonly string[]
  /** A network that a device is connected to, which the system added with the device's address. */
  readonly connected: boolean
}

export const local = Symbol('local')

/** A range of addresses that are routed alike. */
export interface Way extends AddressRange {
  /** The device through which they are reached; `local` on this computer; undefined if they can't be reached. */
  readonly device: string | typeof local | undefined
}

/** The routes of this computer at one moment, with the system's own answers about which way each address goes. */
export interface RouteReading {
  readonly routes: readonly SystemRoute[]
  readonly ways: readonly Way[]
  /** A table of the helper, which this reading leaves out, may lead more through the tunnel than it says, but not less. */
  readonly isLeast?: boolean
}

/** Reads the routes of this computer. */
export interface RouteReader {
  /** Returns undefined if they can't be read, or are too many. */
  read(): Promise<RouteReading | undefined>
  /**
   * Reads what can be read at once, without policy routing: enough for what a server may have pushed. Undefined if that would
   * leave something out that it knows of.
   */
  readAtOnce?(): RouteReading | undefined
}

/**
 * Merges routes between which the kernel may choose anew for each packet, such as by what it knows of their gateways: those for
 * one prefix in a table with one metric. They become one route with several next hops. It's left out if more specific routes of
 * its table hide it, such as those of `redirect-gateway def1` a default route that the server pushes as well: it's never used.
 */
export function uniteHops<Route extends SystemRoute & { readonly metric: number }>(
  routes: readonly Route[],
  tableOf: (route: Route) => string,
): Route[] {
  const united = new Map<string, Route>()
  for (const route of routes) {
    const key = `${route.prefix} ${tableOf(route)} ${String(route.metric)}`
    const known = united.get(key)
    united.set(
      key,
      known === undefined ? route : { ...known, devices: [...new Set([...known.devices, ...route.devices])] },
    )
  }
  const isHidden = (tie: Route): boolean => {
    const range = prefixRange(tie.prefix)
    if (tie.devices.length < 2 || range === undefined) return false
    const inTable = routes.filter((route) => tableOf(route) === tableOf(tie)).map(({ prefix }) => prefix)
    const moreSpecific = rangesOf(inTable).filter((each) => prefixLength(each) > prefixLength(range))
    return covers(moreSpecific, [range])
  }
  return [...united.values()].filter((route) => !isHidden(route))
}
