import { hasCode, toErrorReport, type ErrorReport } from '../errors'

export interface FetchedState<Item> {
  readonly status: 'unknown' | 'loading' | 'loaded' | 'failed'
  readonly items: readonly Item[]
  readonly error?: ErrorReport
}

/** A list that comes from a server: the last good items stay while it loads again or fails. */
export class FetchedList<Item> {
  #state: FetchedState<Item> = { status: 'unknown', items: [] }
  #loading: AbortController | undefined
  readonly #fetch: (signal: AbortSignal) => Promise<readonly Item[]>
  readonly #onChange: () => void

  constructor(fetch: (signal: AbortSignal) => Promise<readonly Item[]>, onChange: () => void) {
    this.#fetch = fetch
    this.#onChange = onChange
  }

  get state(): FetchedState<Item> {
    return this.#state
  }

  /**
   * Fetches anew; a fetch under way is given up. A failure is part of the state, but for `oauth/login-required`,
   * which is thrown, because it says more about the login than about the list.
   */
  async load(): Promise<void> {
    this.#loading?.abort()
    const loading = new AbortController()
    this.#loading = loading
    this.#become({ status: 'loading', items: this.#state.items })
    try {
      const items = await this.#fetch(loading.signal)
      if (!loading.signal.aborted) this.#become({ status: 'loaded', items })
    } catch (error) {
      if (loading.signal.aborted) return
      if (hasCode(error, 'oauth/login-required')) {
        this.#become({ status: 'unknown', items: this.#state.items })
        throw error
      }
      this.#become({ status: 'failed', items: this.#state.items, error: toErrorReport(error) })
    }
  }

  /** Forgets the items and gives up a fetch under way. */
  clear(): void {
    this.#loading?.abort()
    this.#become({ status: 'unknown', items: [] })
  }

  #become(state: FetchedState<Item>): void {
    this.#state = state
    this.#onChange()
  }
}
