import type { InstanceSlice } from '../../../contract/state'
import { CausewayError, hasCode, toErrorReport } from '../../errors'
import type { Records } from '../../loose'
import type { MaybeCached } from '../../services/offline-cache/read-or-cached'

/** A list as the window gets it, with the items of main. */
export interface FetchedState<Item> extends Readonly<Omit<InstanceSlice['profiles'], 'items'>> {
  readonly items: readonly Item[]
}

interface ListOptions<Item> {
  readonly onChange: () => void
  /** Called with an error that no cause explains. */
  readonly onDefect: (error: unknown) => void
  /** Returns the last items from this computer, to show them during the first load. */
  readonly readCached?: () => Promise<Records<Item> | undefined>
}

/** A list from a server. The last good items stay during a reload and after a failure, also over a restart. */
export class FetchedList<Item> {
  #state: FetchedState<Item> = { status: 'unknown', items: [] }
  #loading: AbortController | undefined
  readonly #fetch: (signal: AbortSignal) => Promise<MaybeCached<Records<Item>>>
  readonly #options: ListOptions<Item>

  constructor(
    fetch: (signal: AbortSignal) => Promise<MaybeCached<Records<Item>>>,
    options: ListOptions<Item>,
  ) {
    this.#fetch = fetch
    this.#options = options
  }

  get state(): FetchedState<Item> {
    return this.#state
  }

  /**
   * Fetches the list again and aborts a fetch in progress. Errors go into the state, except `oauth/login-required`, which is
   * thrown because it concerns the login.
   */
  async load(): Promise<void> {
    const loading = this.#begin()
    const before = this.#kept()
    const isFirst = this.#state.status === 'unknown'
    this.#setState({ status: 'loading', ...before })
    if (isFirst) void this.#showRecalled(loading.signal)
    try {
      const fetched = await this.#fetch(loading.signal)
      if (loading.signal.aborted) return
      if (fetched.cachedAt === undefined) this.#setState({ status: 'loaded', ...stateOf(fetched.data) })
      else {
        const { data, cachedAt, because } = fetched
        this.#setState({ status: 'failed', ...stateOf(data), cachedAt, error: toErrorReport(because) })
      }
    } catch (error) {
      if (loading.signal.aborted) return
      if (hasCode(error, 'oauth/login-required')) {
        this.#setState({ status: 'unknown', ...before })
        throw error
      }
      if (!(error instanceof CausewayError)) this.#options.onDefect(error)
      this.#setState({ status: 'failed', ...before, error: toErrorReport(error) })
    }
  }

  async #showRecalled(signal: AbortSignal): Promise<void> {
    const cached = await this.#options.readCached?.()
    if (cached === undefined || signal.aborted || this.#state.status !== 'loading') return
    this.#setState({ status: 'loading', ...stateOf(cached) })
  }

  /**
   * Fetches the list again in the background, unless `load` is in progress. Errors are ignored, except
   * `oauth/login-required`, which is thrown.
   */
  async loadQuietly(): Promise<void> {
    if (this.#state.status === 'loading') return
    const { signal } = this.#begin()
    try {
      const fetched = await this.#fetch(signal)
      if (!signal.aborted && fetched.cachedAt === undefined)
        this.#setState({ status: 'loaded', ...stateOf(fetched.data) })
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof CausewayError) || hasCode(error, 'oauth/login-required')) throw error
    }
  }

  /** Forgets the items and aborts a fetch in progress. */
  clear(): void {
    this.#loading?.abort()
    this.#setState({ status: 'unknown', items: [] })
  }

  #begin(): AbortController {
    this.#loading?.abort()
    this.#loading = new AbortController()
    return this.#loading
  }

  #kept(): Omit<FetchedState<Item>, 'status' | 'error'> {
    const { status: _status, error: _error, ...kept } = this.#state
    return kept
  }

  #setState(state: FetchedState<Item>): void {
    this.#state = state
    this.#options.onChange()
  }
}

function stateOf<Item>({
  items,
  unreadable,
}: Records<Item>): Pick<FetchedState<Item>, 'items' | 'unreadable'> {
  return unreadable === 0 ? { items } : { items, unreadable }
}
