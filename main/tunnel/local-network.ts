import type { TunnelDetails } from '../../contract/connection'
import type { HelperMessage } from '../privilege/helper-messages'
import type { StartOptions } from './tunnel'

/**
 * Follows whether the system's firewall blocks the local networks that the routes of a tunnel leave open. Only the helper can ask it; what
 * it doesn't say counts as open.
 */
export class LocalNetwork {
  readonly #blockers = new Set<'rules' | 'kill-switch'>()
  readonly #onOpen: () => void
  #isReported = false

  /** @param onOpen called once if a local network is open */
  constructor(onOpen: () => void) {
    this.#onOpen = onOpen
  }

  /** Handles a message of the helper. Returns true if what the firewall blocks has changed. */
  onMessage(message: HelperMessage): boolean {
    const before = this.#blockers.size > 0
    if (message.message === 'local-network') this.#note('rules', message.state === 'blocked')
    // `left` is another tunnel's.
    else if (message.message === 'kill-switch') this.#note('kill-switch', message.state === 'on')
    return before !== this.#blockers.size > 0
  }

  /** Returns a listener that leaves blocked local networks out of the details, and reports open ones. */
  following(onEvent: StartOptions['onEvent']): StartOptions['onEvent'] {
    return (event) => {
      onEvent('details' in event ? { ...event, details: this.#seen(event.details) } : event)
    }
  }

  #note(blocker: 'rules' | 'kill-switch', isUp: boolean): void {
    if (isUp) this.#blockers.add(blocker)
    else this.#blockers.delete(blocker)
  }

  #seen(details: TunnelDetails): TunnelDetails {
    const { local, ...others } = details
    if (local === undefined) return details
    if (this.#blockers.size > 0) return others
    if (!this.#isReported) this.#onOpen()
    this.#isReported = true
    return details
  }
}
