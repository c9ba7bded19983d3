import { execa } from 'execa'

interface GatewayRoute {
  readonly family: '-4' | '-6'
  readonly destination: string
  readonly gateway: string
}

/**
 * OpenVPN names a route in its log before it makes it; `via` a gateway it does not go with the device. A default route
 * past the tunnel is the computer's own, even where a server pushes it (`route 0.0.0.0 0.0.0.0 net_gateway`).
 */
const adding = /^net_route_v([46])_add: ([0-9a-f:.]+\/(?!0 )\d+) via ([0-9a-f:.]+) /
/** Without `def1` OpenVPN deletes the computer's default route, and restores it when it ends in order. */
const deletingDefault = /^net_route_v([46])_del: (?:0\.0\.0\.0|::)\/0 via ([0-9a-f:.]+) /
/** What follows when the route was there already, whoever made it. */
const existed = 'sitnl_send: rtnl: generic error (-17)'

/** The routes that an OpenVPN on Linux has made and would take back itself, unless it is killed. */
export class LeftoverRoutes {
  #routes: readonly GatewayRoute[] = []
  #last: GatewayRoute | undefined
  #lostDefault: GatewayRoute | undefined

  /** The default route of the computer that OpenVPN has deleted. */
  get lostDefault(): GatewayRoute | undefined {
    return this.#lostDefault
  }

  /** Those noted so far. */
  get routes(): readonly GatewayRoute[] {
    return this.#routes
  }

  /** @param line of OpenVPN's log, without a time before it */
  note(line: string): void {
    const [, version, destination, gateway] = adding.exec(line) ?? []
    if (destination !== undefined && gateway !== undefined) {
      this.#last = { family: version === '4' ? '-4' : '-6', destination, gateway }
      this.#routes = [...this.#routes, this.#last]
    } else if (line.startsWith(existed)) {
      this.#routes = this.#routes.filter((route) => route !== this.#last)
    } else if (line.startsWith('net_route_')) {
      this.#last = undefined
      const [, family, lostGateway] = deletingDefault.exec(line) ?? []
      if (lostGateway !== undefined) {
        this.#lostDefault = {
          family: family === '4' ? '-4' : '-6',
          destination: 'default',
          gateway: lostGateway,
        }
      }
    }
  }

  /** Takes them back; those that are gone, as the ones through the device, are no matter. Never throws. */
  async remove(): Promise<void> {
    const changes = [
      ...this.#routes.map((route) => ({ verb: 'del', route })),
      ...(this.#lostDefault === undefined ? [] : [{ verb: 'add', route: this.#lostDefault }]),
    ]
    for (const { verb, route } of changes) {
      await execa('ip', [route.family, 'route', verb, route.destination, 'via', route.gateway], {
        env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
        extendEnv: false,
        reject: false,
        timeout: 2000,
      })
    }
  }
}
