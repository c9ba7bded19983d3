import type { InstanceSlice } from '../../contract/state'

const minuteMs = 60_000
const roundMs = 60 * minuteMs
/** Who comes to the window is not shown anything older, if there is something newer. */
const freshForMs = 10 * minuteMs

/** An instance with how far one of its lists is. */
export interface ListOfInstance extends Pick<InstanceSlice, 'id' | 'login'> {
  readonly status: InstanceSlice['messages']['status']
}

export interface PollerOptions {
  readonly lists: () => readonly ListOfInstance[]
  /** Fetches the list of an instance; what fails is not told here. */
  readonly refresh: (instanceId: string) => Promise<void>
  /** Milliseconds, of a clock that only goes forward. */
  readonly now: () => number
  /** Calls back after so many milliseconds; what comes out gives that up. Without it there are no rounds once an hour. */
  readonly after?: (milliseconds: number, then: () => void) => () => void
}

/**
 * Fetches a list of those with a login, such as their messages, when there is reason to, and once an hour: system messages are
 * about the service, such as maintenance, and nobody has to know of them within minutes.
 */
export class Poller {
  readonly #options: PollerOptions
  readonly #fetchedAt = new Map<string, number>()
  #stopTimer: () => void = () => undefined
  #disposed = false

  constructor(options: PollerOptions) {
    this.#options = options
    this.#waitForNext()
  }

  /** To be called with each change of the instances: what was fetched for another reason is not fetched again. */
  see(): void {
    for (const { id, status } of this.#options.lists()) {
      if (status === 'loading') this.#fetchedAt.set(id, this.#options.now())
    }
  }

  /** The person has come to the window, or the computer has woken up. */
  look(): void {
    this.#round(freshForMs)
  }

  /** There is a tunnel to this instance, and what it says may be about that. */
  connected(instanceId: string): void {
    this.#round(minuteMs, instanceId)
  }

  dispose(): void {
    this.#disposed = true
    this.#stopTimer()
  }

  #round(olderThanMs: number, only?: string): void {
    const { lists, now, refresh } = this.#options
    if (this.#disposed) return
    for (const { id, login, status } of lists()) {
      if (login !== 'signed-in' || status === 'loading') continue
      if (only !== undefined && only !== id) continue
      const at = this.#fetchedAt.get(id)
      if (at !== undefined && now() - at < olderThanMs) continue
      this.#fetchedAt.set(id, now())
      void refresh(id)
    }
  }

  #waitForNext(): void {
    const stop = this.#options.after?.(roundMs, () => {
      this.#round(freshForMs)
      this.#waitForNext()
    })
    if (stop !== undefined) this.#stopTimer = stop
  }
}
