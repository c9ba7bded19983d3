import { createStore, type StoreApi } from 'zustand/vanilla'
import type { ErrorReport } from '../../../contract/error-codes'

/** State of a paged list. */
export interface PagedState<Item> {
  readonly items: readonly Item[]
  readonly status: 'new' | 'loading' | 'loaded' | 'failed'
  /** True if there are no more pages. */
  readonly ended: boolean
  /** Why the last page failed, and which page that was. */
  readonly error?: ErrorReport | undefined
  readonly asked: 'first' | 'next'
  /** Time of a cached page, in ms since the epoch, if the service can't be reached. */
  readonly seenAt?: number | undefined
  /** Host that couldn't be reached. */
  readonly host?: string | undefined
  /** Number of records that couldn't be parsed. */
  readonly unreadable: number
  /** Number of times the list started from its first page. */
  readonly began: number
}

export type Page<Item> =
  | {
      readonly ok: true
      readonly value: {
        readonly data: readonly Item[]
        readonly unreadable: number
      } & Pick<PagedState<Item>, 'seenAt' | 'host'>
    }
  | { readonly ok: false; readonly error: ErrorReport }

/** Stops requests to a service that always returns the same page. */
const maxPagesWithoutNews = 3

/**
 * A list fetched page by page, by offset. An item that moved to a later page between requests is contained once.
 * `inOnePage`: the service has no offset for this list.
 */
export class PagedList<Item extends { readonly id: string }> {
  readonly store: StoreApi<PagedState<Item>> = createStore(() => ({
    items: [],
    status: 'new',
    asked: 'next',
    ended: false,
    unreadable: 0,
    began: 0,
  }))
  readonly #fetchPage: (offset: number) => Promise<Page<Item>>
  readonly #inOnePage: boolean
  /** Differs from that of every other list. */
  readonly key: string
  #offset = 0
  #pagesWithoutNews = 0
  /** Number of the current request. Answers to earlier ones are ignored. */
  #run = 0

  constructor(
    fetchPage: (offset: number) => Promise<Page<Item>>,
    { inOnePage = false, key = '' }: { readonly inOnePage?: boolean; readonly key?: string } = {},
  ) {
    this.#fetchPage = fetchPage
    this.#inOnePage = inOnePage
    this.key = key
  }

  /** Fetches the first page, or the one that failed. No method rejects. */
  async open(): Promise<void> {
    if (this.store.getState().status === 'new') await this.#fetch('next')
    else await this.retry()
  }

  /** Fetches the next page, if there is one. Does nothing after a failure. */
  async more(): Promise<void> {
    const { status, ended } = this.store.getState()
    if (status === 'loaded' && !ended) await this.#fetch('next')
  }

  /** Fetches the failed page again. */
  async retry(): Promise<void> {
    const { status, asked } = this.store.getState()
    if (status === 'failed') await this.#fetch(asked)
  }

  /** Fetches the first page again and keeps the items until it has arrived. */
  async refresh(): Promise<void> {
    await this.#fetch('first')
  }

  async #fetch(asked: 'first' | 'next'): Promise<void> {
    const run = ++this.#run
    const offset = asked === 'first' ? 0 : this.#offset
    this.store.setState({ status: 'loading', error: undefined, asked })
    const page = await this.#fetchPage(offset)
    if (run !== this.#run) return
    if (!page.ok) {
      this.store.setState({ status: 'failed', error: page.error })
      return
    }
    const { data, unreadable, seenAt, host } = page.value
    const state = this.store.getState()
    if (asked === 'first' && seenAt !== undefined && state.items.length > 0) {
      // The items are at least as new as the cached page, and may be more.
      this.store.setState({ status: 'loaded', seenAt, host })
      return
    }
    const before = asked === 'first' ? [] : state.items
    const items = withoutTwins([...before, ...data])
    const isRepeated = items.length === before.length && data.length > 0
    this.#pagesWithoutNews = items.length > before.length ? 0 : this.#pagesWithoutNews + 1
    const length = data.length + unreadable
    this.#offset = offset + length
    this.store.setState({
      items,
      status: 'loaded',
      ended: this.#inOnePage || length === 0 || this.#pagesWithoutNews >= maxPagesWithoutNews,
      unreadable: (asked === 'first' ? 0 : state.unreadable) + (isRepeated ? 0 : unreadable),
      seenAt,
      host,
      began: state.began + (asked === 'first' ? 1 : 0),
    })
    // The visible rows didn't change, so no scrolling would request more.
    if (items.length === before.length) await this.more()
  }
}

function withoutTwins<Item extends { readonly id: string }>(items: readonly Item[]): readonly Item[] {
  const known = new Set<string>()
  return items.filter(({ id }) => {
    if (known.has(id)) return false
    known.add(id)
    return true
  })
}
