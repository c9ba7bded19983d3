import type { ErrorReport } from '../../contract/error-codes'
import { CausewayError, hasCode, toErrorReport } from '../errors'
import type { Seen } from '../services/offline-cache/read-or-recall'

export interface FetchedState<Item> {
  readonly status: 'unknown' | 'loading' | 'loaded' | 'failed'
  readonly items: readonly Item[]
  readonly error?: ErrorReport
  /** Since when the items are known, where they are not those of now; ms since the epoch. */
  readonly seenAt?: number
}

/** A list that comes from a server: the last good items stay while it loads again or fails, also over a restart. */
export class FetchedList<Item> {
  #state: FetchedState<Item> = { status: 'unknown', items: [] }
  #loading: AbortController | undefined
  readonly #fetch: (signal: AbortSignal) => Promise<Seen<readonly Item[]>>
  readonly #onChange: () => void

  constructor(fetch: (signal: AbortSignal) => Promise<Seen<readonly Item[]>>, onChange: () => void) {
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
    const loading = this.#begin()
    this.#become({ status: 'loading', ...this.#kept() })
    try {
      const seen = await this.#fetch(loading.signal)
      if (loading.signal.aborted) return
      if (seen.seenAt === undefined) this.#become({ status: 'loaded', items: seen.data })
      else {
        const { data: items, seenAt, because } = seen
        this.#become({ status: 'failed', items, seenAt, error: toErrorReport(because) })
      }
    } catch (error) {
      if (loading.signal.aborted) return
      if (hasCode(error, 'oauth/login-required')) {
        this.#become({ status: 'unknown', ...this.#kept() })
        throw error
      }
      this.#become({ status: 'failed', ...this.#kept(), error: toErrorReport(error) })
    }
  }

  /**
   * Fetches anew without a word: what fails leaves everything as it was, but for `oauth/login-required`, which is thrown. A
   * fetch that is shown goes before.
   */
  async loadQuietly(): Promise<void> {
    if (this.#state.status === 'loading') return
    const { signal } = this.#begin()
    try {
      const seen = await this.#fetch(signal)
      if (!signal.aborted && seen.seenAt === undefined) this.#become({ status: 'loaded', items: seen.data })
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof CausewayError) || hasCode(error, 'oauth/login-required')) throw error
    }
  }

  /** Forgets the items and gives up a fetch under way. */
  clear(): void {
    this.#loading?.abort()
    this.#become({ status: 'unknown', items: [] })
  }

  #begin(): AbortController {
    this.#loading?.abort()
    this.#loading = new AbortController()
    return this.#loading
  }

  #kept(): Pick<FetchedState<Item>, 'items' | 'seenAt'> {
    const { items, seenAt } = this.#state
    return { items, ...(seenAt === undefined ? {} : { seenAt }) }
  }

  #become(state: FetchedState<Item>): void {
    this.#state = state
    this.#onChange()
  }
}
