import { type Carried, maxNetworks } from '../../../contract/connection'
import {
  type AddressRange,
  type Family,
  addressNumber,
  contains,
  prefixLength,
  prefixRange,
  prefixesOf,
  rangesOf,
} from './address-range'
import { deciding } from './boundaries'
import { local, type RouteReading, type SystemRoute } from './route-reader'

export interface TunnelRouting {
  readonly carried: Carried
  /** The tunnel carries most IPv4 or most IPv6 traffic, so that names should be resolved through it. */
  readonly most: boolean
  /** The addresses that are reached through the tunnel. */
  readonly through: readonly AddressRange[]
  /** The others that stay with this computer, its networks and the tunnel's servers. */
  readonly near: readonly AddressRange[]
}

const unknown: TunnelRouting = {
  carried: { allTraffic: false, routesUnknown: true },
  most: false,
  through: [],
  near: [],
}

/**
 * Networks that belong to one place: private and small. With any other one, whoever runs a network could take a part of the
 * internet, or of an organization, to itself. The helper goes by the same (helper/full_tunnel.go).
 */
const privateNetworks = rangesOf([
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  'fc00::/7',
])
const shortestLocal: Record<Family, number> = { 4: 16, 6: 48 }

/**
 * Returns what a tunnel carries, from the routes that stand. Nothing that a server sent is taken for it. Traffic to the
 * tunnel's own servers and to the small private networks that this computer is connected to may leave outside it.
 *
 * @param reading undefined if the routes could not be read: then the tunnel is not said to carry all traffic
 * @param device the tunnel's; undefined if it isn't known
 * @param servers addresses of the tunnel's servers
 * @param nameServers addresses of the tunnel's DNS servers: a network that has one of them would see all names
 * @param asked the networks that the tunnel was asked to carry, as far as they are known: its own network is named if it's
 *   among them, and otherwise only leads to its gateway
 */
export function tunnelRouting(
  reading: RouteReading | undefined,
  device: string | undefined,
  servers: Iterable<string>,
  nameServers: readonly string[] = [],
  asked: readonly string[] = [],
): TunnelRouting {
  if (reading === undefined || device === undefined) return unknown
  const { routes, ways } = reading
  // A route with several next hops may send each packet another way.
  if (routes.some(({ devices }) => devices.length > 1 && devices.includes(device))) return unknown

  const through = ways.filter((way) => way.device === device)
  const ranged = routes.flatMap((route) => {
    const range = prefixRange(route.prefix)
    return range === undefined ? [] : [{ ...route, range }]
  })
  const serverAddresses = new Set([...servers].map((text) => keyOf(addressNumber(text))))
  const namesOutside = rangesOf(nameServers).filter((server) => !through.some((way) => contains(way, server)))
  const localNetworks = ranged.filter(
    (route) => isLocalNetwork(route) && !namesOutside.some((server) => contains(route.range, server)),
  )
  const refusing = ranged.filter(({ devices }) => devices.length === 0)
  const mayLeave = (range: AddressRange) =>
    (range.first === range.last &&
      serverAddresses.has(keyOf({ family: range.family, value: range.first }))) ||
    localNetworks.some((network) => contains(network.range, range))
  const isRefused = (range: AddressRange) => refusing.some((route) => contains(route.range, range))

  const inFamily = (family: Family) => {
    const ways = reading.ways.filter(
      (way) => way.family === family && deciding.some((range) => contains(range, way)),
    )
    const inside = sizeOf(ways.filter((way) => way.device === device))
    const outside = ways.filter(
      (way) => typeof way.device === 'string' && way.device !== device && !mayLeave(way),
    )
    const lost = ways.some((way) => way.device === undefined && !isRefused(way))
    return {
      outside,
      most: inside * 4n > sizeOf(ways) * 3n,
      all: inside > 0n && outside.length === 0 && !lost,
      none: inside === 0n && outside.length === 0,
    }
  }
  const [ipv4, ipv6] = [inFamily(4), inFamily(6)]
  const allTraffic = (ipv4.all && (ipv6.all || ipv6.none)) || (ipv4.none && ipv6.all)
  // A network around this computer is named whole, also where an address of it is the computer's own.
  const around = ranged.filter((route) => route.connected && !route.devices.includes(device))
  const askedRanges = rangesOf(asked)
  const carried = nearest(
    through,
    ranged.filter(({ devices }) => devices.includes(device)),
  ).filter((route) => !isLocalNetwork(route) || askedRanges.some((range) => contains(range, route.range)))
  const leaving = ways.filter((way) => typeof way.device === 'string' && way.device !== device)
  // In a split tunnel, too, the network around this computer may be a part of what the tunnel is said to carry.
  const localOnes = localNetworks.filter(
    (route) =>
      ((route.range.family === 4 ? ipv4 : ipv6).most ||
        carried.some(({ range }) => contains(range, route.range))) &&
      leaving.some((way) => contains(route.range, way)),
  )
  const outside = prefixesOf(
    [ipv4, ipv6]
      .flatMap((each) => (each.most ? each.outside : []))
      .map((range) => around.find((route) => contains(route.range, range))?.range ?? range),
  )
  const localPrefixes = prefixesOf(localOnes.map(({ range }) => range))
  return {
    carried: {
      allTraffic,
      ...(ipv4.all && !allTraffic && { allIpv4: true as const }),
      routes: prefixesOf(carried.map(({ range }) => range)).slice(0, maxNetworks),
      ...(outside.length > 0 && { outside: outside.slice(0, maxNetworks) }),
      ...(namesOutside.length > 0 && { dnsOutside: prefixesOf(namesOutside).map(withoutLength) }),
      ...(localPrefixes.length > 0 && { local: localPrefixes.slice(0, maxNetworks) }),
    },
    most: ipv4.most || ipv6.most,
    through,
    near: ways.filter((way) => way.device === local || (way.device !== undefined && mayLeave(way))),
  }
}

/** Returns the routes that are the most specific one around any of the ways: the others are there, but not used. */
function nearest<Route extends { readonly range: AddressRange }>(
  ways: readonly AddressRange[],
  routes: readonly Route[],
): Route[] {
  const used = new Set<Route>()
  const sorted = routes.toSorted((one, other) => inOrder(one.range, other.range))
  const around: Route[] = []
  let next = 0
  for (const way of ways.toSorted(inOrder)) {
    for (
      let route = sorted[next];
      route !== undefined && inOrder(route.range, way) <= 0;
      route = sorted[next]
    ) {
      around.push(route)
      next += 1
    }
    // Prefixes are either apart or one inside the other.
    while (around.length > 0 && !contains(around.at(-1)?.range ?? way, way)) around.pop()
    const closest = around.at(-1)
    if (closest !== undefined) used.add(closest)
  }
  return [...used]
}

/** Sorts by the first address; of two ranges with the same one, the larger comes first. */
function inOrder(one: AddressRange, other: AddressRange): number {
  return (
    one.family - other.family ||
    Number(one.first > other.first) - Number(one.first < other.first) ||
    Number(one.last < other.last) - Number(one.last > other.last)
  )
}

function isLocalNetwork(route: SystemRoute & { readonly range: AddressRange }): boolean {
  return route.connected && isSmallPrivate(route.range)
}

function isSmallPrivate(range: AddressRange): boolean {
  return (
    prefixLength(range) >= shortestLocal[range.family] &&
    privateNetworks.some((network) => contains(network, range))
  )
}

/** Returns the address of a prefix that is one. */
function withoutLength(prefix: string): string {
  return prefix.replace(/\/\d+$/, '')
}

function sizeOf(ranges: readonly AddressRange[]): bigint {
  return ranges.reduce((sum, { first, last }) => sum + (last - first + 1n), 0n)
}

function keyOf(address: { readonly family: Family; readonly value: bigint } | undefined): string {
  return address === undefined ? '' : `${String(address.family)} ${String(address.value)}`
}
