import { isIP } from 'node:net'
import type { ObservedRouting } from '../../platform/routes/observed-routing'
import type { Remote } from '../tunnel'

/** The time for the next attempt to contact a server, with OpenVPN's pause of a second before it. */
const toContactMs = 5000

interface LostTunnelOptions {
  readonly routing: Pick<ObservedRouting, 'leadsThrough'>
  readonly remotes: readonly Remote[]
  /** The server that it was connected to. */
  readonly connectedTo: Remote
  /** The tunnel carries most traffic, and so the questions of name resolution. */
  readonly most: boolean
  /** Called at most once, with the servers that have not answered. */
  readonly onStuck: (tried: readonly Remote[]) => void
}

/**
 * Finds out if a lost tunnel stands in the way of its own recovery. Its device and routes stay, so that no traffic leaves
 * outside it, but only the server that it was connected to has a route past it: another server, and whatever resolves names, is
 * reached through the dead tunnel, and OpenVPN would try in vain for ever.
 */
export class LostTunnel {
  readonly #options: LostTunnelOptions
  readonly #hosts: Set<string>
  #timer: NodeJS.Timeout | undefined
  #isOver = false

  constructor(options: LostTunnelOptions) {
    this.#options = options
    this.#hosts = new Set([options.connectedTo.host])
    this.#expectContact()
  }

  /** Handles an attempt to reach a server. */
  async contacting({ host, address }: Remote & { readonly address: string }): Promise<void> {
    clearTimeout(this.#timer)
    if (await this.#options.routing.leadsThrough(address)) this.#stuck()
    else this.#hosts.add(host)
  }

  /** Handles a name that could not be resolved. */
  notResolved(): void {
    if (this.#options.most) this.#stuck()
  }

  /** Handles another failed attempt: other servers follow only after all ports of this one. */
  async failedAgain(): Promise<void> {
    this.#expectContact()
    for (const { host } of this.#options.remotes)
      if (!this.#hosts.has(host) && (await this.#options.routing.leadsThrough(host))) this.#stuck()
  }

  end(): void {
    this.#isOver = true
    clearTimeout(this.#timer)
  }

  /** Nothing is logged while a name is looked up. */
  #expectContact(): void {
    const { most, remotes } = this.#options
    clearTimeout(this.#timer)
    if (this.#isOver || !most || remotes.every(({ host }) => isIP(host) !== 0)) return
    this.#timer = setTimeout(() => {
      this.#stuck()
    }, toContactMs)
  }

  #stuck(): void {
    if (this.#isOver) return
    this.end()
    this.#options.onStuck(this.#options.remotes.filter(({ host }) => this.#hosts.has(host)))
  }
}
