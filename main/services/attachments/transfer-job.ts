import { requestCancelled } from '../../platform/http/failure'
import { CausewayError, hasCode, toErrorReport } from '../../errors'
import { Pace } from './pace'
import type { TransferSteps } from './persevere'
import type { Transfer, TransferProgress, TransferState } from './transfer'

/** What a transfer does: first in its turn, then what need not keep others waiting. */
export interface TransferWork {
  inTurn(job: TransferJob): Promise<void>
  afterwards?(job: TransferJob): Promise<'done' | 'unconfirmed'>
  /** After it was cancelled in its turn: takes back what it did. */
  undo(job: TransferJob): Promise<void>
}

/** What a transfer is, beside where it is. */
export type TransferFacts = Omit<Transfer, 'state' | 'progress' | 'error' | 'attempt' | 'retryAt'>

export interface JobOptions {
  readonly now: () => number
  /** Throws when the signal aborts. */
  readonly delay: (milliseconds: number, signal: AbortSignal) => Promise<void>
  readonly onChange: () => void
}

const firstPauseMs = 1000

/** One transfer with its state, from the queue to its end, and again from there. */
export class TransferJob implements TransferSteps {
  readonly #work: TransferWork
  readonly #options: JobOptions
  readonly #waiting = new Set<(transfer: Transfer) => void>()
  #facts: TransferFacts
  #state: TransferState = { state: 'queued' }
  #progress: TransferProgress = { bytes: 0 }
  #pace: Pace
  #stop = new AbortController()
  #resume = new AbortController()

  constructor(facts: TransferFacts, work: TransferWork, options: JobOptions) {
    this.#facts = facts
    this.#work = work
    this.#options = options
    this.#pace = new Pace(options.now())
  }

  get transfer(): Transfer {
    return { ...this.#facts, ...this.#state, progress: this.#progress }
  }

  get signal(): AbortSignal {
    return this.#stop.signal
  }

  get hasEnded(): boolean {
    return ['done', 'unconfirmed', 'cancelled', 'failed'].includes(this.#state.state)
  }

  /** Resolves at its next end, or with the one it has had. */
  ended(): Promise<Transfer> {
    if (this.hasEnded) return Promise.resolve(this.transfer)
    return new Promise((resolve) => this.#waiting.add(resolve))
  }

  learn(facts: Partial<TransferFacts>): void {
    this.#facts = { ...this.#facts, ...facts }
    this.#options.onChange()
  }

  enter(state: 'preparing' | 'transferring'): void {
    const { bytes, totalBytes } = this.#progress
    this.#pace = new Pace(this.#options.now(), bytes)
    this.#progress = { bytes, ...(totalBytes === undefined ? {} : { totalBytes }) }
    this.#become({ state })
  }

  progressed(bytes: number, totalBytes: number | undefined): void {
    this.#progress = {
      ...this.#progress,
      bytes,
      ...(totalBytes === undefined ? {} : { totalBytes }),
    }
  }

  /** Works out anew how fast it goes, also where nothing moves any more. */
  tick(): void {
    if (this.#state.state !== 'transferring') return
    const { bytes, totalBytes } = this.#progress
    this.#progress = this.#pace.progress(bytes, totalBytes, this.#options.now())
    this.#options.onChange()
  }

  async pause(attempt: number): Promise<void> {
    const ms = firstPauseMs * 2 ** (attempt - 1)
    this.#resume = new AbortController()
    this.#become({ state: 'waiting', attempt, retryAt: this.#options.now() + ms })
    const either = AbortSignal.any([this.signal, this.#resume.signal])
    await this.#options.delay(ms, either).catch((error: unknown) => {
      if (!either.aborted) throw error
    })
    if (this.signal.aborted) throw requestCancelled()
  }

  /** Ends a pause now. */
  resume(): void {
    this.#resume.abort()
  }

  cancel(): void {
    if (this.hasEnded) return
    this.#stop.abort()
    // One that has not had its turn has nothing to end.
    if (this.#state.state === 'queued') this.#become({ state: 'cancelled' })
  }

  /** Back to the queue, after it has failed or was cancelled. */
  again(): void {
    this.#stop = new AbortController()
    this.#progress = { bytes: 0 }
    this.#become({ state: 'queued' })
  }

  /** Its turn; resolves when the next one may have it. */
  async run(): Promise<void> {
    try {
      this.enter('preparing')
      await this.#work.inTurn(this)
      this.#become({ state: this.#work.afterwards === undefined ? 'done' : 'confirming' })
    } catch (error) {
      await this.#failed(error)
    }
  }

  /** What follows its turn. */
  async finish(): Promise<void> {
    if (this.#state.state !== 'confirming' || this.#work.afterwards === undefined) return
    try {
      this.#become({ state: await this.#work.afterwards(this) })
    } catch (error) {
      this.#become({ state: 'failed', error: toErrorReport(error) })
    }
  }

  async #failed(error: unknown): Promise<void> {
    if (!hasCode(error, 'http/cancelled')) {
      this.#become({ state: 'failed', error: toErrorReport(error) })
      return
    }
    try {
      await this.#work.undo(this)
    } catch (undoing) {
      // What is left then is told in `left`.
      if (!(undoing instanceof CausewayError)) throw undoing
    } finally {
      this.#become({ state: 'cancelled' })
    }
  }

  #become(state: TransferState): void {
    this.#state = state
    this.#options.onChange()
    if (!this.hasEnded) return
    const { transfer } = this
    for (const resolve of [...this.#waiting]) resolve(transfer)
    this.#waiting.clear()
  }
}
