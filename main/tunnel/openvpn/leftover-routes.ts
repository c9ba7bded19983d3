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
/** Follows if the route existed already, whoever added it. */
const existed = 'sitnl_send: rtnl: generic error (-17)'

/** Removes the routes that OpenVPN on Linux leaves behind when it is killed. */
export class LeftoverRoutes {
  readonly #routes = new Map<string, Route>()
  #last: string | undefined
  #lostDefault: Route | undefined
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
    } else if (line.startsWith('net_route_')) {
      this.#last = undefined
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
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
      extendEnv: false,
      reject: false,
      timeout: 10_000,
    })
  }

  #nextHopOf(gateway: string): string {
    return hasNoGateway(gateway) ? `dev ${this.#device ?? ''}` : `via ${gateway}`
  }
}

/** Returns true for a route that only names a device, as on mobile networks. */
function hasNoGateway(gateway: string): boolean {
  return gateway === '0.0.0.0' || gateway === '::'
}
