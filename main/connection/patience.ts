import type { ConnectionState, ConnectionTarget } from '../../contract/connection'
import { hasCode } from '../errors'
import type { NetworkEvent } from '../network/network-events'
import { backOffMs } from './back-off'
import { Pause } from './pause'
import { lossOf, type SupervisorDependencies } from './supervisor'

/**
 * Waits between attempts to connect for the first time, as the supervisor does between those to connect again: for what
 * time may mend, with back-off, and at once when there is a network again. Its state is `reconnecting`.
 */
export class Patience {
  readonly #dependencies: Pick<SupervisorDependencies, 'network' | 'delay' | 'random' | 'now'>
  readonly #pause: Pause<'at-once' | 'network-down'>
  readonly #target: ConnectionTarget
  readonly #become: (state: ConnectionState) => void
  /** Since the network was last another one. */
  #failures = 0
  #attempts = 0
  #networkDown = false
  #stopWatching: (() => void) | undefined

  constructor(
    dependencies: Pick<SupervisorDependencies, 'network' | 'delay' | 'random' | 'now'>,
    target: ConnectionTarget,
    become: (state: ConnectionState) => void,
  ) {
    this.#dependencies = dependencies
    this.#pause = new Pause(dependencies.delay)
    this.#target = target
    this.#become = become
  }

  /** Resolves with true when the next attempt is due; false where time mends nothing, and once the signal aborts. */
  async waitAfter(error: unknown, signal: AbortSignal): Promise<boolean> {
    const reason = reasonToWait(error)
    if (reason === undefined || signal.aborted) return false
    this.#stopWatching ??= this.#dependencies.network.watch((event) => {
      this.#onNetwork(event)
    })
    this.#failures += 1
    this.#attempts += 1
    const reconnecting = {
      state: 'reconnecting',
      target: this.#target,
      reason,
      attempt: this.#attempts,
      notYetConnected: true,
    } as const
    const milliseconds = backOffMs(this.#failures, this.#dependencies.random())
    const nextAttemptAt = this.#dependencies.now().getTime() + milliseconds
    for (;;) {
      this.#become(
        this.#networkDown ? { ...reconnecting, waitingForNetwork: true } : { ...reconnecting, nextAttemptAt },
      )
      const ended = await this.#pause.wait(this.#networkDown ? undefined : milliseconds, signal)
      if (ended !== 'network-down') return ended !== 'aborted'
    }
  }

  retryNow(): void {
    this.#pause.end('at-once')
  }

  dispose(): void {
    this.#stopWatching?.()
  }

  #onNetwork(event: NetworkEvent): void {
    if (event === 'resumed' && this.#networkDown) return
    this.#networkDown = event === 'down'
    if (event === 'down') {
      this.#pause.end('network-down')
      return
    }
    this.#failures = 0
    this.#pause.end('at-once')
  }
}

/** Who waits for a network may also wait until it has been signed in to, and for a server that does not come to an end. */
function reasonToWait(error: unknown): ReturnType<typeof lossOf> {
  if (hasCode(error, 'network/captive-portal')) return 'captive-portal'
  if (hasCode(error, 'openvpn/timed-out')) return 'timed-out'
  return lossOf(error)
}
