import type { InstanceSlice } from '../../../contract/state'
import type { Timer } from '../../timer'

const minuteMs = 60_000
const intervalMs = 60 * minuteMs
/** The age from which a list is fetched again when the window gets the focus. */
const freshForMs = 10 * minuteMs

/** An instance with the status of one of its lists. */
export interface ListOfInstance extends Pick<InstanceSlice, 'id' | 'login'> {
  readonly status: InstanceSlice['messages']['status']
}

export interface PollerOptions {
  readonly lists: () => readonly ListOfInstance[]
  /** Fetches the list of an instance, and handles errors itself. */
  readonly refresh: (instanceId: string) => Promise<void>
  /** Returns milliseconds of a clock that goes on while the computer sleeps. If it is set, lists count as old. */
  readonly now: () => number
  /** Starts a timer; returns a function that cancels it. Without it there is no hourly fetch. */
  readonly after?: Timer
}

/**
 * Fetches a list, such as messages, of all instances with a login: on events, and once an hour. System messages announce for
 * example maintenance, so minutes don't matter.
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

  /** Records fetches made by others. Call it at each change of the instances. */
  noteLoading(): void {
    for (const { id, status } of this.#options.lists()) {
      if (status === 'loading') this.#fetchedAt.set(id, this.#options.now())
    }
  }

  /** Fetches old lists. Call it when the window gets the focus or the computer wakes up. */
  refreshOld(): void {
    this.#refresh(freshForMs)
  }

  /** Fetches the list of an instance after connecting to it, because its messages may be about that. */
  connected(instanceId: string): void {
    this.#refresh(minuteMs, instanceId)
  }

  dispose(): void {
    this.#disposed = true
    this.#stopTimer()
  }

  #refresh(olderThanMs: number, only?: string): void {
    const { lists, now, refresh } = this.#options
    if (this.#disposed) return
    for (const { id, login, status } of lists()) {
      if (login !== 'signed-in' || status === 'loading') continue
      if (only !== undefined && only !== id) continue
      const at = this.#fetchedAt.get(id)
      if (at !== undefined && Math.abs(now() - at) < olderThanMs) continue
      this.#fetchedAt.set(id, now())
      void refresh(id)
    }
  }

  #waitForNext(): void {
    const stop = this.#options.after?.(intervalMs, () => {
      this.#refresh(freshForMs)
      this.#waitForNext()
    })
    if (stop !== undefined) this.#stopTimer = stop
  }
}
