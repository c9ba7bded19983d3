import type { ConnectionState, ConnectionTarget } from '../../contract/connection'
import { hasCode } from '../errors'
import type { NetworkEvents } from '../platform/network/network-events'
import { AttemptTimer, type AttemptTimerDependencies } from './attempt-timer'
import { retryReason } from './failures'

/**
 * Retries connecting after temporary errors until the first tunnel is up; afterwards the supervisor does. It waits with
 * back-off in the state `reconnecting`, and retries at once when the network is back.
 */
export class RetryPolicy {
  readonly #network: NetworkEvents
  readonly #timer: AttemptTimer
  readonly #target: ConnectionTarget
  readonly #setState: (state: ConnectionState) => void
  #attempts = 0
  #stopWatching: (() => void) | undefined

  constructor(
    dependencies: AttemptTimerDependencies & { readonly network: NetworkEvents },
    target: ConnectionTarget,
    setState: (state: ConnectionState) => void,
  ) {
    this.#network = dependencies.network
    this.#timer = new AttemptTimer(dependencies)
    this.#target = target
    this.#setState = setState
  }

  /** Resolves with true when the next attempt is due; with false after a final error, and once the signal aborts. */
  async waitAfter(error: unknown, signal: AbortSignal): Promise<boolean> {
    // The user can sign in to a captive portal meanwhile.
    const reason = hasCode(error, 'network/captive-portal') ? 'captive-portal' : retryReason(error)
    if (reason === undefined || signal.aborted) return false
    this.#stopWatching ??= this.#network.watch((event) => {
      if (event !== 'routes' && this.#timer.onNetwork(event)) this.#timer.endWaitAfterEvent()
    })
    this.#attempts += 1
    const waiting = {
      state: 'reconnecting',
      target: this.#target,
      reason,
      attempt: this.#attempts,
      routes: 'gone',
      notYetConnected: true,
    } as const
    return this.#timer.wait(waiting, this.#setState, signal)
  }

  retryNow(): void {
    this.#timer.endWait()
  }

  dispose(): void {
    this.#stopWatching?.()
  }
}
