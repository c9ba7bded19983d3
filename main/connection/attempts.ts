import { once } from 'node:events'
import type { StateOf } from './transitions'
import type { NetworkEvent } from '../platform/network/network-events'
import type { StateMachine } from './state-machine'

/** Resolves after so many milliseconds; rejects once the signal aborts. */
type Delay = (milliseconds: number, signal: AbortSignal) => Promise<unknown>

export interface AttemptTimerDependencies {
  readonly delay: Delay
  /** A number from 0 up to 1. */
  readonly random: () => number
  readonly now: () => Date
}

const maxDelayMs = 30_000

/**
 * Returns the wait before an attempt in milliseconds: 1 s after the first failure, then twice as long each time, at most
 * 30 s. Jitter of a fifth keeps clients of a failed server from reconnecting in the same instant.
 *
 * @param failures the number of failed attempts in a row, from 1
 * @param random a number from 0 up to 1
 */
function backOffMs(failures: number, random: number): number {
  const whole = Math.min(1000 * 2 ** (failures - 1), maxDelayMs)
  return Math.round(whole * (0.8 + 0.4 * random))
}

/** Times the next attempt: waits longer after each failure, and without a network until there is one again. */
export class AttemptTimer {
  readonly #dependencies: AttemptTimerDependencies
  readonly #machine: Pick<StateMachine, 'send'>
  /** The failures since the start, the last reset, or a network change. */
  #failures = 0
  #networkDown = false
  #endWait: (why: 'at-once' | 'network' | 'network-down') => void = () => undefined

  constructor(dependencies: AttemptTimerDependencies, machine: Pick<StateMachine, 'send'>) {
    this.#dependencies = dependencies
    this.#machine = machine
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
   * Counts a failure and waits, in the state `reconnecting`. Resolves with true when the next attempt is due, and with false
   * once the signal aborts. `atLeastMs`: what a service asks for; another network doesn't shorten it.
   */
  async wait(
    {
      attempt = this.#failures + 1,
      atLeastMs = 0,
      ...next
    }: Pick<StateOf<'reconnecting'>, 'reason' | 'routes' | 'notYetConnected'> & {
      readonly attempt?: number | undefined
      readonly atLeastMs?: number
    },
    signal: AbortSignal,
  ): Promise<boolean> {
    this.#failures += 1
    const { delay, now, random } = this.#dependencies
    let since = now().getTime()
    let milliseconds = Math.max(
      backOffMs(this.#failures, random()),
      Math.round(atLeastMs * (1 + random() / 10)),
    )
    let leastMs = atLeastMs
    for (;;) {
      const isDown = this.#networkDown
      this.#machine.send({
        event: 'wait',
        ...next,
        attempt,
        nextAttemptAt: isDown ? undefined : since + milliseconds,
      })
      const over = new AbortController()
      this.#endWait = (why) => {
        over.abort(why)
      }
      const stop = AbortSignal.any([signal, over.signal])
      const stopped: Promise<unknown> = stop.aborted ? Promise.resolve() : once(stop, 'abort')
      // A delay rejects when it's stopped.
      await Promise.race([stopped, isDown ? stopped : delay(milliseconds, stop).catch(() => stopped)])
      // Releases the signals.
      over.abort()
      if (signal.aborted) return false
      const why: unknown = over.signal.reason
      // A network often sets the clock when it comes back: set back by hours, it would make the wait that long.
      const passed = Math.max(0, now().getTime() - since)
      since = now().getTime()
      leastMs = Math.max(0, leastMs - passed)
      if (why !== 'network-down' && !(why === 'network' && leastMs > 0)) return true
      milliseconds = Math.max(0, milliseconds - passed)
    }
  }

  /** Ends the wait, if there is one. */
  endWait(): void {
    this.#endWait('at-once')
  }

  /**
   * Updates the timer after a network event, and ends the wait; without a network, a new one begins. Returns false if the
   * event changes nothing.
   */
  onNetwork(event: NetworkEvent): boolean {
    // Without a network there's nothing to retry yet; `up` follows.
    if (event === 'routes' || (event === 'resumed' && this.#networkDown)) return false
    this.#networkDown = event === 'down'
    if (event !== 'down') this.#failures = 0
    this.#endWait(this.#networkDown ? 'network-down' : 'network')
    return true
  }
}

/** A time limit that can be paused; its signal also follows the signal given. */
export class TimeLimit {
  readonly signal: AbortSignal
  exceeded = false
  readonly #abort = new AbortController()
  readonly #milliseconds: number
  #timer: NodeJS.Timeout | undefined

  constructor(milliseconds: number, signal: AbortSignal) {
    this.#milliseconds = milliseconds
    this.signal = AbortSignal.any([signal, this.#abort.signal])
    this.resume()
  }

  /** True once the time is up or the given signal has aborted. */
  get over(): boolean {
    return this.signal.aborted
  }

  get seconds(): number {
    return Math.round(this.#milliseconds / 1000)
  }

  /** Starts from zero, unless it's running. */
  resume(): void {
    this.#timer ??= setTimeout(() => {
      this.exceeded = true
      this.#abort.abort()
    }, this.#milliseconds)
  }

  pause(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }
}
