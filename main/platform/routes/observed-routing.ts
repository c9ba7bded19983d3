import type { Carried, RoutesLeft } from '../../../contract/connection'
import { type AddressRange, addressText, contains, covers, prefixRange } from './address-range'
import type { RouteReader, RouteReading } from './route-reader'
import { type TunnelRouting, tunnelRouting } from './tunnel-routing'

const linkLocal: AddressRange = { family: 6, first: 0xfe80n << 112n, last: (0xfec0n << 112n) - 1n }

/** What one tunnel carries, read from the routes of this computer each time that it's asked. */
export class ObservedRouting {
  readonly #reader: RouteReader | undefined
  readonly #servers: Set<string>
  #device: string | undefined
  #nameServers: readonly string[] = []
  #asked: readonly string[] = []
  /** What the tunnel carried when it was last up. */
  #before: TunnelRouting | undefined
  #isChecked = false
  /** The last reading that is not of the main table alone. */
  #reading: RouteReading | undefined

  /** @param servers hosts and addresses of the tunnel's servers, which are reached outside it */
  constructor(reader: RouteReader | undefined, servers: Iterable<string>) {
    this.#reader = reader
    this.#servers = new Set(servers)
  }

  /** Notes another address of a server. */
  contacting(address: string): void {
    this.#servers.add(address)
  }

  /**
   * Returns what the tunnel carries, now that it's up. If it `mustBeChecked`, some routes couldn't be read at once, so that
   * `changed` must follow.
   *
   * @param nameServers addresses of the tunnel's DNS servers
   * @param asked the networks that it was asked to carry, as far as they are known
   */
  async connected(
    device: string | undefined,
    nameServers: readonly string[] = [],
    asked: readonly string[] = [],
  ): Promise<TunnelRouting & { readonly mustBeChecked: boolean }> {
    this.#device = device
    this.#nameServers = nameServers
    this.#asked = asked
    const atOnce = this.#atOnce()
    this.#isChecked = atOnce === undefined
    const routing = atOnce ?? (await this.#read())
    this.#before = routing
    return { ...routing, mustBeChecked: !this.#isChecked }
  }

  /** Returns undefined if a reading at once isn't enough. */
  #atOnce(): TunnelRouting | undefined {
    const reading = this.#reader?.readAtOnce?.()
    const routing = reading && this.#routingOf(reading)
    if (reading?.isLeast !== true) return routing
    // What it shows outside may be inside: nobody is to read that for the moment until the next reading.
    return routing?.carried.allTraffic === true ? routing : undefined
  }

  /** Returns whether the routes of the tunnel still stand as when it was last up. */
  async remainingRoutes(): Promise<RoutesLeft> {
    return this.#leftOf(await this.#read())
  }

  /** Returns what the tunnel carries after routes have changed; undefined before it was up. */
  async changed(): Promise<{ readonly carried: Carried; readonly routes: RoutesLeft } | undefined> {
    if (this.#before === undefined) return undefined
    const now = await this.#read()
    if (!this.#isChecked) this.#before = now
    this.#isChecked = true
    return { carried: now.carried, routes: this.#leftOf(now) }
  }

  /** Returns true if an address is reached through the tunnel itself. */
  async leadsThrough(address: string): Promise<boolean> {
    await this.#read()
    return this.#isThrough(address)
  }

  /**
   * Returns addresses that answer through the tunnel if traffic passes: the first ones of its own networks, which are its
   * gateways, and these servers as far as they are reached through it.
   */
  answering(servers: readonly string[]): readonly string[] {
    const own = (this.#reading?.routes ?? []).filter(
      ({ devices, connected }) => connected && devices.length === 1 && devices[0] === this.#device,
    )
    const gateways = own.flatMap(({ prefix }) => {
      const range = prefixRange(prefix)
      if (range === undefined || contains(linkLocal, range)) return []
      return [addressText(range.family, range.first === range.last ? range.first : range.first + 1n)]
    })
    return [...new Set([...gateways, ...servers])].filter((address) => this.#isThrough(address))
  }

  #isThrough(address: string): boolean {
    const range = prefixRange(address)
    const way = range && this.#reading?.ways.find((each) => contains(each, range))
    return way?.device !== undefined && way.device === this.#device
  }

  async #read(): Promise<TunnelRouting> {
    this.#reading = await this.#reader?.read().catch(() => undefined)
    return this.#routingOf(this.#reading)
  }

  #routingOf(reading: RouteReading | undefined): TunnelRouting {
    return tunnelRouting(reading, this.#device, this.#servers, this.#nameServers, this.#asked)
  }

  #leftOf(now: TunnelRouting): RoutesLeft {
    const before = this.#before?.carried
    const stands =
      before?.routesUnknown !== true &&
      now.carried.routesUnknown !== true &&
      (before?.routes ?? []).every((route) => now.carried.routes?.includes(route)) &&
      (before?.allTraffic !== true || now.carried.allTraffic) &&
      // The routes may be there, and others before them.
      covers([...now.through, ...now.near], this.#before?.through ?? [])
    return stands ? 'kept' : 'gone'
  }
}
