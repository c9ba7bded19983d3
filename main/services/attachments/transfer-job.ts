import { requestCancelled } from '../../platform/http/failure'
import { CausewayError, hasCode, toErrorReport } from '../../errors'
import { SpeedMeter } from './speed-meter'
import type { TransferSteps } from './with-retries'
import type { Transfer, TransferProgress, TransferState } from './transfer'
import type { TransferSlots } from './transfer-slots'

/** The work of a transfer. */
export interface TransferWork {
  /** Runs while the transfer has one of the slots. */
  inTurn(job: TransferJob): Promise<void>
  /** Runs after the transfer gave its slot to the next one. */
  afterwards?(job: TransferJob): Promise<'done' | 'unconfirmed'>
  /** Reverts the work after `inTurn` was cancelled. */
  undo(job: TransferJob): Promise<void>
}

/** The properties of a transfer other than its state. */
export type TransferFacts = Omit<Transfer, 'state' | 'progress' | 'error' | 'attempt' | 'retryAt'>

interface JobOptions {
  readonly now: () => number
  /** Throws when the signal aborts. */
  readonly delay: (milliseconds: number, signal: AbortSignal) => Promise<void>
  readonly onChange: () => void
  readonly slots: TransferSlots
}

const firstPauseMs = 1000

/** Runs one transfer from the queue to its end, and again for a retry. */
export class TransferJob implements TransferSteps {
  readonly #work: TransferWork
  readonly #options: JobOptions
  readonly #waiting = new Set<(transfer: Transfer) => void>()
  #facts: TransferFacts
  #state: TransferState = { state: 'queued' }
  #progress: TransferProgress = { bytes: 0 }
  #speed: SpeedMeter
  #stop = new AbortController()
  #resume = new AbortController()
  #hasSlot = false
  /** False while there is no work to end, even if the transfer is queued. */
  #isRunning = false

  constructor(facts: TransferFacts, work: TransferWork, options: JobOptions) {
    this.#facts = facts
    this.#work = work
    this.#options = options
    this.#speed = new SpeedMeter(options.now())
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

  /** Resolves when the transfer ends, at once if it has ended. */
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
    this.#speed = new SpeedMeter(this.#options.now(), bytes)
    this.#progress = { bytes, totalBytes }
    this.#become({ state })
  }

  progressed(bytes: number, totalBytes: number | undefined): void {
    this.#progress = { ...this.#progress, bytes, totalBytes: totalBytes ?? this.#progress.totalBytes }
  }

  /** Updates the speed, also when no data moves. */
  tick(): void {
    if (this.#state.state !== 'transferring') return
    const { bytes, totalBytes } = this.#progress
    this.#progress = this.#speed.progress(bytes, totalBytes, this.#options.now())
    this.#options.onChange()
  }

  /** Gives up the slot meanwhile: a busy storage must not block the transfers of other services. */
  async pause(attempt: number, atLeastMs: number): Promise<void> {
    const ms = Math.max(firstPauseMs * 2 ** (attempt - 1), atLeastMs)
    this.#resume = new AbortController()
    this.#become({ state: 'waiting', attempt, retryAt: this.#options.now() + ms })
    const either = AbortSignal.any([this.signal, this.#resume.signal])
    await this.#options.delay(ms, either).catch((error: unknown) => {
      if (!either.aborted) throw error
    })
    await this.#slotAgain()
    if (this.signal.aborted) throw requestCancelled()
    this.enter('preparing')
  }

  /** Ends the pause before a retry. */
  resume(): void {
    this.#resume.abort()
  }

  cancel(): void {
    if (this.hasEnded) return
    this.#stop.abort()
    if (!this.#isRunning && this.#state.state === 'queued') this.#become({ state: 'cancelled' })
  }

  /** Returns the transfer to the queue after it failed or was cancelled. */
  again(): void {
    this.#stop = new AbortController()
    this.#progress = { bytes: 0 }
    this.#become({ state: 'queued' })
  }

  /** Runs the first part with a slot that was requested for it; resolves when it has given the slot back. */
  async run(): Promise<void> {
    this.#hasSlot = true
    this.#isRunning = true
    try {
      this.enter('preparing')
      await this.#work.inTurn(this)
      this.#become({ state: this.#work.afterwards === undefined ? 'done' : 'confirming' })
    } catch (error) {
      await this.#failed(error)
    }
  }

  /** Runs the second part. */
  async finish(): Promise<void> {
    if (this.#state.state !== 'confirming' || this.#work.afterwards === undefined) return
    try {
      this.#become({ state: await this.#work.afterwards(this) })
    } catch (error) {
      this.#become({ state: 'failed', error: toErrorReport(error) })
    }
  }

  /** Queues for a slot like a new transfer; resolves without one if the transfer is cancelled. */
  async #slotAgain(): Promise<void> {
    const { signal } = this
    if (signal.aborted) return
    await new Promise<void>((resolve) => {
      const done = (): void => {
        signal.removeEventListener('abort', done)
        resolve()
      }
      signal.addEventListener('abort', done)
      this.#options.slots.request(signal, () => {
        this.#hasSlot = true
        done()
      })
      if (!this.#hasSlot) this.#become({ state: 'queued' })
    })
  }

  async #failed(error: unknown): Promise<void> {
    if (!hasCode(error, 'http/cancelled')) {
      this.#become({ state: 'failed', error: toErrorReport(error) })
      return
    }
    try {
      await this.#work.undo(this)
    } catch (undoing) {
      // `left` reports what remains at the service.
      if (!(undoing instanceof CausewayError)) throw undoing
    } finally {
      this.#become({ state: 'cancelled' })
    }
  }

  #become(state: TransferState): void {
    this.#state = state
    if (this.hasEnded) this.#isRunning = false
    if (!['queued', 'preparing', 'transferring'].includes(state.state)) this.#releaseSlot()
    this.#options.onChange()
    if (!this.hasEnded) return
    const { transfer } = this
    for (const resolve of [...this.#waiting]) resolve(transfer)
    this.#waiting.clear()
  }

  #releaseSlot(): void {
    if (!this.#hasSlot) return
    this.#hasSlot = false
    this.#options.slots.release()
  }
}
