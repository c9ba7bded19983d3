import type { InstanceSlice } from '../../preload/contract'

const minuteMs = 60_000
const roundMs = 60 * minuteMs
/** Who comes to the window is not shown anything older, if there is something newer. */
const freshForMs = 10 * minuteMs

export interface MessageRoundsOptions {
  readonly instances: () => readonly Pick<InstanceSlice, 'id' | 'login' | 'messages'>[]
  /** Fetches the messages of an instance; what fails is shown with them. */
  readonly refresh: (instanceId: string) => Promise<void>
  /** Milliseconds, of a clock that only goes forward. */
  readonly now: () => number
  /** Calls back after so many milliseconds; what comes out gives that up. */
  readonly after: (milliseconds: number, then: () => void) => () => void
}

/**
 * Fetches the messages of those with a login when there is reason to, and once an hour: system messages are about the
 * service, such as maintenance, and nobody has to know of them within minutes.
 */
export class MessageRounds {
  readonly #options: MessageRoundsOptions
  readonly #fetchedAt = new Map<string, number>()
  #stopTimer: () => void = () => undefined
  #disposed = false

  constructor(options: MessageRoundsOptions) {
    this.#options = options
    this.#waitForNext()
  }

  /** To be called with each change of the instances: what was fetched for another reason is not fetched again. */
  see(): void {
    for (const { id, messages } of this.#options.instances()) {
      if (messages.status === 'loading') this.#fetchedAt.set(id, this.#options.now())
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
    const { instances, now, refresh } = this.#options
    if (this.#disposed) return
    for (const { id, login, messages } of instances()) {
      if (login !== 'signed-in' || messages.status === 'loading') continue
      if (only !== undefined && only !== id) continue
      const at = this.#fetchedAt.get(id)
      if (at !== undefined && now() - at < olderThanMs) continue
      this.#fetchedAt.set(id, now())
      void refresh(id)
    }
  }

  #waitForNext(): void {
    this.#stopTimer = this.#options.after(roundMs, () => {
      this.#round(freshForMs)
      this.#waitForNext()
    })
  }
}
