import type { VirtualItem } from '@tanstack/react-virtual'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { ErrorReport } from '../../../contract/error-codes'

/** A list as far as it is known. */
export interface PagedState<Item> {
  readonly items: readonly Item[]
  readonly status: 'new' | 'loading' | 'loaded' | 'failed'
  /** Whether there is nothing more to come. */
  readonly ended: boolean
  /** Why the last page did not come, and which one was asked for. */
  readonly error?: ErrorReport | undefined
  readonly asked: 'first' | 'next'
  /** Where the last page is what the service last said: when that was, in ms since the epoch. */
  readonly seenAt?: number | undefined
  /** The host that could not be reached then. */
  readonly host?: string | undefined
  /** How many records of the pages could not be read. */
  readonly unreadable: number
  /** How often it began anew. */
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

/** A service that always answers the same page does not keep us asking. */
const mostPagesWithoutNews = 3

/**
 * A list that is fetched page by page, by offset. Something that has moved to a later page meanwhile is in it once.
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
  #offset = 0
  #pagesWithoutNews = 0
  #place = 0
  #measured: readonly VirtualItem[] = []
  /** Counts what was started, so that the answer to something older is left out. */
  #run = 0

  constructor(
    fetchPage: (offset: number) => Promise<Page<Item>>,
    { inOnePage = false }: { readonly inOnePage?: boolean } = {},
  ) {
    this.#fetchPage = fetchPage
    this.#inOnePage = inOnePage
  }

  /** How far it was scrolled, in CSS pixels from the top; no state, since nothing is drawn by it, as `measured`. */
  get place(): number {
    return this.#place
  }

  /** What its rows measured when it was left. */
  get measured(): readonly VirtualItem[] {
    return this.#measured
  }

  /** Fetches what is missing when the list is first looked at, or again. Never rejects, as all of these. */
  async open(): Promise<void> {
    if (this.store.getState().status === 'new') await this.#fetch('next')
    else await this.retry()
  }

  /** Fetches the next page where there is one. After a failure only `retry` does. */
  async more(): Promise<void> {
    const { status, ended } = this.store.getState()
    if (status === 'loaded' && !ended) await this.#fetch('next')
  }

  /** Asks again for the page that did not come. */
  async retry(): Promise<void> {
    const { status, asked } = this.store.getState()
    if (status === 'failed') await this.#fetch(asked)
  }

  /** Begins at the first page again; what is known stays until it has come. */
  async refresh(): Promise<void> {
    await this.#fetch('first')
  }

  scrolledTo(place: number): void {
    this.#place = place
  }

  left(measured: readonly VirtualItem[]): void {
    this.#measured = measured
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
      // What is here is no older, and may be longer.
      this.store.setState({ status: 'loaded', seenAt, host })
      return
    }
    const before = asked === 'first' ? [] : state.items
    const items = withoutTwins([...before, ...data])
    const isRepeated = items.length === before.length && data.length > 0
    this.#pagesWithoutNews = items.length > before.length ? 0 : this.#pagesWithoutNews + 1
    const length = data.length + unreadable
    this.#offset = offset + length
    if (asked === 'first') this.#place = 0
    this.store.setState({
      items,
      status: 'loaded',
      ended: this.#inOnePage || length === 0 || this.#pagesWithoutNews >= mostPagesWithoutNews,
      unreadable: (asked === 'first' ? 0 : state.unreadable) + (isRepeated ? 0 : unreadable),
      seenAt,
      host,
      ...(asked === 'first' ? { began: state.began + 1 } : {}),
    })
    // What can be seen has not changed then, and nobody would ask for more.
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
