import { execa } from 'execa'

interface Route {
  readonly destination: string
  readonly nextHop: string
}

/** Limits the routes that a server may push, like the helper's. */
const maxRoutes = 10_000

/**
 * Matches the log line for a new route, written before OpenVPN adds it. A route past the tunnel does not disappear with the
 * device. A default route past the tunnel belongs to the computer, even if a server pushes it (`route 0.0.0.0 0.0.0.0
 * net_gateway`).
 */
const adding = /^net_route_v[46]_add: ([0-9a-f:.]+\/(?!0 )\d+) via ([0-9a-f:.]+) dev (\S+) /
/** Without `def1` OpenVPN deletes the computer's default route, and restores it only after an orderly exit. */
const deletingDefault = /^net_route_v[46]_del: ((?:0\.0\.0\.0|::)\/0) via ([0-9a-f:.]+) /
/** How OpenVPN found the server's network: by the default route of the computer. */
const bestGateway = /^net_route_v([46])_best_gw result: via ([0-9a-f:.]+) dev (\S+)/
/** A default route without a metric of its own. */
const addingDefault = /^net_route_v([46])_add: ((?:0\.0\.0\.0|::)\/0) via .* metric (?:-1|0)$/
/** Follows if the route existed already, whoever added it. */
const existed = 'sitnl_send: rtnl: generic error (-17)'

const ipOptions = {
  env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
  extendEnv: false,
  reject: false,
  timeout: 10_000,
} as const

/** Removes the routes that OpenVPN on Linux leaves behind when it is killed. */
export class LeftoverRoutes {
  readonly #routes = new Map<string, Route>()
  #last: string | undefined
  #lostDefault: Route | undefined
  /** The next hop of the computer's default route, by the version of IP. */
  readonly #gateways = new Map<string, string>()
  /** The computer's default routes in whose place OpenVPN may have put its own, by the version of IP. */
  readonly #replaced = new Map<string, Route>()
  #lastReplaced: string | undefined
  /** The device of a network without a gateway. OpenVPN names it when it adds the route to the server only. */
  #device: string | undefined

  /** The computer's default route, after OpenVPN has deleted it. */
  get lostDefault(): Route | undefined {
    return this.#lostDefault
  }

  /** The routes added so far. */
  get routes(): readonly Route[] {
    return [...this.#routes.values()]
  }

  /** True if the server pushes more routes than any VPN has. */
  get tooMany(): boolean {
    return this.#routes.size > maxRoutes
  }

  /** @param line of OpenVPN's log, without a timestamp */
  note(line: string): void {
    const added = adding.exec(line)
    if (added !== null) {
      const [, destination = '', gateway = '', device = ''] = added
      if (hasNoGateway(gateway) && /\/(32|128)$/.test(destination)) this.#device = device
      const key = `${destination} ${gateway} ${device}`
      // OpenVPN announces them again each time it reconnects, and then they exist.
      this.#last = this.#routes.has(key) ? undefined : key
      this.#routes.set(key, { destination, nextHop: this.#nextHopOf(gateway) })
    } else if (line.startsWith(existed)) {
      if (this.#last !== undefined) this.#routes.delete(this.#last)
      if (this.#lastReplaced !== undefined) this.#replaced.delete(this.#lastReplaced)
    } else if (line.startsWith('net_route_')) {
      this.#last = undefined
      this.#noteDefault(line)
      const deleted = deletingDefault.exec(line)
      if (deleted !== null) {
        const [, destination = '', gateway = ''] = deleted
        this.#lostDefault = { destination, nextHop: this.#nextHopOf(gateway) }
      }
    }
  }

  /**
   * Removes the routes and restores the default route with one program, because one for each route took 17 s for 4,000;
   * ignores routes that disappeared with the device. Never throws.
   *
   * @param ip the program that changes routes
   */
  async remove(ip = 'ip'): Promise<void> {
    const changes = [
      ...this.routes.map((route) => ({ verb: 'del', route })),
      ...(this.#lostDefault === undefined ? [] : [{ verb: 'add', route: this.#lostDefault }]),
    ]
    if (changes.length === 0) return
    await execa(ip, ['-force', '-batch', '-'], {
      input: changes
        .map(({ verb, route }) => `route ${verb} ${route.destination} ${route.nextHop}\n`)
        .join(''),
      ...ipOptions,
    })
  }

  /**
   * Adds the computer's default route again where OpenVPN 2.5 has put its own in that place, which then disappeared with
   * the device; later versions leave it as it is. Never throws.
   *
   * @param ip the program that shows and changes routes
   */
  async restoreReplaced(ip = 'ip'): Promise<void> {
    for (const [version, { destination, nextHop }] of this.#replaced) {
      const { stdout, failed } = await execa(ip, [`-${version}`, 'route', 'show', 'default'], ipOptions)
      if (failed || stdout !== '') continue
      await execa(ip, ['route', 'add', destination, ...nextHop.split(' ')], ipOptions)
    }
  }

  /** @param line of OpenVPN's log that begins with `net_route_` */
  #noteDefault(line: string): void {
    this.#lastReplaced = undefined
    const [, found = '', gateway = '', device = ''] = bestGateway.exec(line) ?? []
    // When it reconnects, it may find its own.
    if (found !== '' && !this.#gateways.has(found))
      this.#gateways.set(found, `${hasNoGateway(gateway) ? '' : `via ${gateway} `}dev ${device}`)
    const [, version = '', destination = ''] = addingDefault.exec(line) ?? []
    const nextHop = this.#gateways.get(version)
    if (nextHop === undefined) return
    // OpenVPN announces it again each time it reconnects.
    if (!this.#replaced.has(version)) this.#lastReplaced = version
    this.#replaced.set(version, { destination, nextHop })
  }

  #nextHopOf(gateway: string): string {
    return hasNoGateway(gateway) ? `dev ${this.#device ?? ''}` : `via ${gateway}`
  }
}

/** Returns true for a route that only names a device, as on mobile networks. */
function hasNoGateway(gateway: string): boolean {
  return gateway === '0.0.0.0' || gateway === '::'
}
