import { createStore, type StoreApi } from 'zustand/vanilla'
import type { ErrorReport } from '../../../contract/error-codes'

/** State of a query. The last successful answer stays while the query is repeated or fails. */
export interface AnswerState<Data> {
  readonly status: 'new' | 'loading' | 'loaded' | 'failed'
  readonly data?: Data | undefined
  readonly error?: ErrorReport | undefined
  /** Time of a cached answer, in ms since the epoch, if the service can't be reached. */
  readonly seenAt?: number | undefined
  /** Host that couldn't be reached. */
  readonly host?: string | undefined
  /** Number of records in a list that couldn't be parsed. */
  readonly unreadable?: number | undefined
}

export type Answered<Data> =
  | {
      readonly ok: true
      readonly value: { readonly data: Data } & Pick<AnswerState<Data>, 'seenAt' | 'host' | 'unreadable'>
    }
  | { readonly ok: false; readonly error: ErrorReport }

/** A query that runs when it is first shown, and on request. No method rejects. */
export class Answer<Data> {
  readonly store: StoreApi<AnswerState<Data>> = createStore(() => ({ status: 'new' }))
  readonly #fetch: () => Promise<Answered<Data>>
  #run = 0
  #place = 0

  constructor(fetch: () => Promise<Answered<Data>>) {
    this.#fetch = fetch
  }

  /** Scroll position, in CSS pixels. */
  get place(): number {
    return this.#place
  }

  scrolledTo(place: number): void {
    this.#place = place
  }

  /** Runs the query if it didn't run yet, or failed. */
  async open(): Promise<void> {
    const { status } = this.store.getState()
    if (status === 'new' || status === 'failed') await this.refresh()
  }

  async refresh(): Promise<void> {
    const run = ++this.#run
    this.store.setState({ status: 'loading', error: undefined })
    const answered = await this.#fetch()
    if (run !== this.#run) return
    this.store.setState(
      answered.ok
        ? { seenAt: undefined, host: undefined, unreadable: undefined, ...answered.value, status: 'loaded' }
        : { status: 'failed', error: answered.error },
    )
  }
}
