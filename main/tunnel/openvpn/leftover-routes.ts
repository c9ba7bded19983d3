import { execa } from 'execa'

interface GatewayRoute {
  readonly family: '-4' | '-6'
  readonly destination: string
  readonly gateway: string
}

/**
 * Matches the log line for a new route, written before OpenVPN adds it. A route `via` a gateway does not disappear with the
 * device. A default route past the tunnel belongs to the computer, even if a server pushes it (`route 0.0.0.0 0.0.0.0
 * net_gateway`).
 */
const adding = /^net_route_v([46])_add: ([0-9a-f:.]+\/(?!0 )\d+) via ([0-9a-f:.]+) /
/** Without `def1` OpenVPN deletes the computer's default route, and restores it only after an orderly exit. */
const deletingDefault = /^net_route_v([46])_del: (?:0\.0\.0\.0|::)\/0 via ([0-9a-f:.]+) /
/** Follows if the route existed already, whoever added it. */
const existed = 'sitnl_send: rtnl: generic error (-17)'

/** Removes the routes that OpenVPN on Linux leaves behind when it is killed. */
export class LeftoverRoutes {
  #routes: readonly GatewayRoute[] = []
  #last: GatewayRoute | undefined
  #lostDefault: GatewayRoute | undefined

  /** The computer's default route, after OpenVPN has deleted it. */
  get lostDefault(): GatewayRoute | undefined {
    return this.#lostDefault
  }

  /** The routes added so far. */
  get routes(): readonly GatewayRoute[] {
    return this.#routes
  }

  /** @param line of OpenVPN's log, without a timestamp */
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

  /** Removes the routes and restores the default route; ignores routes that disappeared with the device. Never throws. */
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
