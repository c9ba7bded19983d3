import type { ConnectionState, ConnectionTarget, ReconnectReason } from '../../contract/connection'
import type { ErrorCode } from '../../contract/error-codes'
import { hasCode } from '../errors'
import type { NetworkEvents } from '../platform/network/network-events'
import { isFailure } from '../tunnel/tunnel'
import { AttemptTimer, type AttemptTimerDependencies } from './attempt-timer'

/** Errors of requests that time may mend. */
const retried: readonly (readonly [ErrorCode, ReconnectReason])[] = [
  ['http/unreachable', 'unreachable'],
  ['http/timed-out', 'timed-out'],
  ['vpn-api/server-error', 'service-error'],
  ['oauth/server-error', 'service-error'],
  ['discovery/server-error', 'service-error'],
]

/** The reason to try again after this error. Undefined for all that is somebody's decision, or needs a person. */
export function retryReason(error: unknown): ReconnectReason | undefined {
  return isFailure(error, 'retry') ? error.reason : retried.find(([code]) => hasCode(error, code))?.[1]
}

/**
 * Retries connecting until there was a tunnel once, as the supervisor does afterwards: for what time may mend, with
 * back-off, and at once when there is a network again. Its state is `reconnecting`.
 */
export class RetryPolicy {
  readonly #network: NetworkEvents
  readonly #timer: AttemptTimer
  readonly #target: ConnectionTarget
  readonly #become: (state: ConnectionState) => void
  #attempts = 0
  #stopWatching: (() => void) | undefined

  constructor(
    dependencies: AttemptTimerDependencies & { readonly network: NetworkEvents },
    target: ConnectionTarget,
    become: (state: ConnectionState) => void,
  ) {
    this.#network = dependencies.network
    this.#timer = new AttemptTimer(dependencies)
    this.#target = target
    this.#become = become
  }

  /** Resolves with true when the next attempt is due; false where time mends nothing, and once the signal aborts. */
  async waitAfter(error: unknown, signal: AbortSignal): Promise<boolean> {
    // A network may also be waited for until somebody has signed in to it.
    const reason = hasCode(error, 'network/captive-portal') ? 'captive-portal' : retryReason(error)
    if (reason === undefined || signal.aborted) return false
    this.#stopWatching ??= this.#network.watch((event) => {
      if (this.#timer.onNetwork(event)) this.#timer.onNetworkSeenTo()
    })
    this.#attempts += 1
    const waiting = {
      state: 'reconnecting',
      target: this.#target,
      reason,
      attempt: this.#attempts,
      notYetConnected: true,
    } as const
    return this.#timer.wait(waiting, this.#become, signal)
  }

  retryNow(): void {
    this.#timer.endWait()
  }

  dispose(): void {
    this.#stopWatching?.()
  }
}
