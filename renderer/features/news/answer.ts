import { createStore, type StoreApi } from 'zustand/vanilla'
import type { ErrorReport } from '../../../contract/error-codes'

/** What a query has answered; the last good answer stays while it is asked again or fails. */
export interface AnswerState<Data> {
  readonly status: 'new' | 'loading' | 'loaded' | 'failed'
  readonly data?: Data | undefined
  readonly error?: ErrorReport | undefined
  /** Where the answer is what the service last said: when that was, in ms since the epoch. */
  readonly seenAt?: number | undefined
  /** The host that could not be reached then. */
  readonly host?: string | undefined
  /** How many records of a list could not be read. */
  readonly unreadable?: number | undefined
}

export type Answered<Data> =
  | {
      readonly ok: true
      readonly value: { readonly data: Data } & Pick<AnswerState<Data>, 'seenAt' | 'host' | 'unreadable'>
    }
  | { readonly ok: false; readonly error: ErrorReport }

/** One thing that is fetched when it is first looked at, and when asked. Nothing here rejects. */
export class Answer<Data> {
  readonly store: StoreApi<AnswerState<Data>> = createStore(() => ({ status: 'new' }))
  readonly #fetch: () => Promise<Answered<Data>>
  #run = 0
  #place = 0

  constructor(fetch: () => Promise<Answered<Data>>) {
    this.#fetch = fetch
  }

  /** Where it was left, in CSS pixels from the top. */
  get place(): number {
    return this.#place
  }

  left(place: number): void {
    this.#place = place
  }
  /** Fetches it where that was not done, or failed. */
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
