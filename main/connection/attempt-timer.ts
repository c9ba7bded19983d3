import type { ConnectionState } from '../../contract/connection'
import type { NetworkEvent } from '../platform/network/network-events'
import { backOffMs } from './back-off'
import { type Delay, Pause } from './pause'

type Reconnecting = Extract<ConnectionState, { state: 'reconnecting' }>

export interface AttemptTimerDependencies {
  readonly delay: Delay
  /** A number from 0 up to 1. */
  random(): number
  now(): Date
}

/** Times the next attempt: waits longer after each failure, and without a network until there is one again. */
export class AttemptTimer {
  readonly #dependencies: AttemptTimerDependencies
  readonly #pause: Pause<'at-once' | 'network-down'>
  #failures = 0
  #networkDown = false

  constructor(dependencies: AttemptTimerDependencies) {
    this.#dependencies = dependencies
    this.#pause = new Pause(dependencies.delay)
  }

  /** The number of failures since the start, the last reset, or a network change. */
  get failures(): number {
    return this.#failures
  }

  get networkDown(): boolean {
    return this.#networkDown
  }

  /** Corrects `networkDown` after a successful connection. */
  networkIsUp(): void {
    this.#networkDown = false
  }

  reset(): void {
    this.#failures = 0
  }

  /**
   * Counts a failure and waits, with the state `reconnecting`. Resolves with true when the next attempt is due, and with
   * false once the signal aborts.
   */
  async wait(
    reconnecting: Omit<Reconnecting, 'nextAttemptAt' | 'waitingForNetwork'>,
    setState: (state: ConnectionState) => void,
    signal: AbortSignal,
  ): Promise<boolean> {
    this.#failures += 1
    const milliseconds = backOffMs(this.#failures, this.#dependencies.random())
    const nextAttemptAt = this.#dependencies.now().getTime() + milliseconds
    for (;;) {
      setState(
        this.#networkDown ? { ...reconnecting, waitingForNetwork: true } : { ...reconnecting, nextAttemptAt },
      )
      const ended = await this.#pause.wait(this.#networkDown ? undefined : milliseconds, signal)
      if (ended !== 'network-down') return ended !== 'aborted'
    }
  }

  /** Ends the wait, if there is one. */
  endWait(): void {
    this.#pause.end('at-once')
  }

  /** Updates the timer after a network event; returns false if the event changes nothing. */
  onNetwork(event: Exclude<NetworkEvent, 'routes'>): boolean {
    // Without a network there's nothing to retry yet; `up` follows.
    if (event === 'resumed' && this.#networkDown) return false
    this.#networkDown = event === 'down'
    if (event !== 'down') this.#failures = 0
    return true
  }

  /** Ends the wait after a network event; without a network, a new wait begins. */
  endWaitAfterEvent(): void {
    this.#pause.end(this.#networkDown ? 'network-down' : 'at-once')
  }
}
